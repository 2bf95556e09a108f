import type { ProgramFacts } from '#language/analysis/declarations.ts';
import type { NamedAnnotation, NameFacts } from '#language/analysis/program-facts.ts';
import { isTestFile } from '#language/analysis/test-cases.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { isNotebook } from '#language/program/notebook-files.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, withMeant, withRelated, withRemedy, withWritten } from '../catalogue.ts';

/** Checks `@output`: RL6010 or RL1112, RL6011, RL6012, RL6014; RL9023 for an output of facts and rules. */
export function* checkOutputs(facts: ProgramFacts): Iterable<Problem> {
    const seen = new Map<string, NamedAnnotation>();
    for (const output of facts.outputs) {
        const { predicate, place, argument } = output;
        const earlier = seen.get(predicate);
        if (earlier !== undefined) {
            const related = [{ place: earlier.place, span: earlier.argument.span, message: say`named as an output here` }];
            yield withRelated(problem('RL6012', place, argument.span, predicate), related);
            continue;
        }
        seen.set(predicate, output);
        const name = facts.nameFacts(predicate);
        if (name !== undefined) yield* checkOutput(name, output, facts);
    }
}

function* checkOutput(name: NameFacts, { predicate, place, argument }: NamedAnnotation, facts: ProgramFacts): Iterable<Problem> {
    if (name.input !== undefined) {
        const related = [{ place: name.input.place, span: name.input.argument.span, message: say`declared as an input here` }];
        yield withRelated(problem('RL6014', place, argument.span, predicate), related);
        return;
    }
    if (name.possiblyDefined) return;
    if (facts.meaningOf(predicate)?.emptyModel) {
        yield problem('RL1112', place, argument.span, predicate);
        return;
    }
    if (name.arities.length === 0) {
        if (facts.openWorld) return;
        yield withMeant(problem('RL6010', place, argument.span, predicate), meantOutput(predicate, facts));
        return;
    }
    const definitions = [...name.definitions.values()];
    const hasRules = definitions.some(definition => definition.rules.length > 0);
    const fact = definitions.flatMap(definition => definition.facts[0] ?? [])[0];
    if (fact === undefined) return;
    if (hasRules) yield problem('RL9023', fact.place, fact.atom.nameSpan, predicate);
    else yield problem('RL6011', place, argument.span, predicate);
}

/** The predicate with a near name, or the one that is written with its columns: `h(X)`, `h/1`. */
function meantOutput(predicate: string, facts: ProgramFacts): string | undefined {
    const plain = /^\s*([a-z]\w*)\s*(?:\(.*\)|\/\d+)\s*$/su.exec(predicate)?.[1];
    if (plain !== undefined && facts.meaningOf(plain) !== undefined) return plain;
    const nearest = facts.meaningOf(predicate)?.nearest;
    return nearest === undefined || functionNamed(nearest) !== undefined ? undefined : nearest;
}

/** Facts of these names are meant as annotations where a program has no output. */
const ANNOTATION_LIKE: ReadonlySet<string> = new Set(['output', 'show', 'print']);

/** A program of which nothing is an output: RL6013, at the predicate that was defined last. The cells of a notebook show what they define. */
export function* checkHasOutput({
    clauses,
    hasBrokenClause,
    annotations,
    options,
    file,
}: Pick<ProgramFacts, 'clauses' | 'hasBrokenClause' | 'annotations' | 'options' | 'file'>): Iterable<Problem> {
    const hasOutput = annotations.some(
        ({ annotation, place }) => place.file === file && (annotation.name === 'output' || annotation.name === 'module'),
    );
    if (hasOutput || options.concept === true || hasBrokenClause || isTestFile(file) || isNotebook(file)) return;
    const named = clauses.find(isMeantAsOutput);
    if (named?.kind === 'fact') {
        const [argument] = named.atom.arguments;
        const written = argument?.kind === 'string' ? argument.value : '';
        yield withWritten(problem('RL6013', named.place, named.atom.nameSpan), `@output("${written}")`, say` with '@' before it`);
        return;
    }
    for (let i = clauses.length - 1; i >= 0; i--) {
        const clause = clauses[i];
        const atom =
            clause?.kind === 'fact'
                ? clause.atom
                : clause?.kind === 'rule' && clause.head.kind === 'atoms'
                  ? clause.head.atoms[0]
                  : undefined;
        if (clause === undefined || atom === undefined) continue;
        const found = problem('RL6013', clause.place, atom.nameSpan);
        yield withRemedy(found, say`add @output("${atom.predicate}").`);
        return;
    }
}

function isMeantAsOutput(clause: Clause): boolean {
    return clause.kind === 'fact' && ANNOTATION_LIKE.has(clause.atom.predicate) && clause.atom.arguments[0]?.kind === 'string';
}
