import type { Declarations } from '#language/analysis/declarations.ts';
import { nameOf } from '#language/analysis/forbidden-cycles.ts';
import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import { collectionOf } from '#language/library/ask-options.ts';
import { meantByCall } from '#language/library/foreign-functions.ts';
import { functionNamed, functionNames, isLegacyName, isPrefixedName } from '#language/library/function-catalogue.ts';
import { argumentCount, type FunctionEntry } from '#language/library/function-entry.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Call, Expression, Fact } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem, withForm, withMeant, withRemedy } from '../catalogue.ts';
import { takesGoals } from '../foreign-predicates.ts';
import { meantByRanges } from '../meant-items.ts';
import { checkConstantArguments } from './constant-arguments.ts';
import { checkExplodePlaces } from './explode-places.ts';
import { checkPrompt } from './prompts.ts';

/** Script runs that are misplaced, RL8101, or name no script, RL8103; calls of unknown functions, RL5001, with a wrong number of arguments, RL5002, by an old name, RL9030, or with wrong constants. */
export function* checkFunctionCalls(facts: RuleFacts, program: Declarations, meaningOf: Meanings): Iterable<Problem> {
    const calls: Call[] = [];
    const goals = new Set(facts.resolved.literals.flatMap(({ atom }) => (takesGoals(atom.predicate) ? atom.arguments : [])));
    for (const { expression } of facts.expressions) {
        if (goals.has(expression)) continue;
        visitExpression(expression, part => {
            if (part.kind === 'call') calls.push(part);
        });
    }
    const columns = columnsAsFunctions(facts, meaningOf);
    const ranges = meantByRanges(facts);
    for (const call of calls) {
        const column = columns.get(call);
        const range = ranges.get(call);
        if (call.name === 'python:run') yield problem(isWholeBody(call, facts) ? 'RL8103' : 'RL8101', facts.place, call.span);
        else if (column !== undefined) yield { ...problem('RL5001', facts.place, call.nameSpan, call.name), ...column };
        else if (range !== undefined) yield withForm(problem('RL5001', facts.place, range.span, call.name), range.text);
        else if (RANKS.has(call.name.toLowerCase()))
            yield withRemedy(problem('RL5001', facts.place, call.nameSpan, call.name), ranking(facts));
        else {
            const isAnsweredHere = searchesProgram(call, facts);
            for (const found of checkCall(call, facts.place, program)) if (found.code !== 'RL5021' || !isAnsweredHere) yield found;
        }
        yield* checkPrompt(call, facts, program);
    }
    yield* checkExplodePlaces(facts, program);
}

/** Whether a call of `ask` searches a predicate of the program, which needs a provider only for a prompt. */
function searchesProgram(call: Call, { resolved: { reads } }: RuleFacts): boolean {
    const name = collectionOf(call);
    return name !== undefined && reads.some(key => nameOf(key) === name);
}

/** SQL functions that number rows. */
const RANKS: ReadonlySet<string> = new Set(['row_number', 'rank', 'dense_rank', 'rownum', 'seq', 'autonumber']);

/** Rows have no numbers; the values up to one are counted. */
function ranking({ resolved }: RuleFacts): string {
    const atom = resolved.literals.find(({ negated, atom: { arguments: terms } }) => !negated && terms.some(isVariable))?.atom;
    const by = atom?.arguments.find(isVariable);
    if (atom === undefined || by?.kind !== 'variable') return say`rows have no order: count the values up to each`;
    const others = atom.arguments.map(term => (term === by ? `Other${by.name}` : '_')).join(', ');
    return say`count the values up to this one: '${atom.predicate}(${others}), Other${by.name} <= ${by.name}, N = count(1, <Other${by.name}>)'`;
}

function isVariable({ kind }: Expression): boolean {
    return kind === 'variable';
}

/** Finds `Age = age(X)` with predicates in place of functions, and the atom that the author meant. */
function columnsAsFunctions({ items }: RuleFacts, meaningOf: Meanings): ReadonlyMap<Expression, Pick<Problem, 'suggestion' | 'remedy'>> {
    const found = new Map<Expression, Pick<Problem, 'suggestion' | 'remedy'>>();
    for (const item of items) {
        if (item.kind === 'equation' && item.value.kind === 'aggregate') {
            const [counted] = item.value.arguments;
            if (counted?.kind !== 'call' || (meaningOf(counted.name)?.arities.length ?? 0) === 0) continue;
            const written = `${printExpression(counted)}, ${item.variable.name} = ${item.value.name}(${item.value.name.endsWith('count') ? '' : 'X'})`;
            found.set(counted, {
                suggestion: { kind: 'write', text: written },
                remedy: say`'${counted.name}' is a predicate, write '${written}'`,
            });
            continue;
        }
        if (item.kind !== 'equation' || item.value.kind !== 'call' || functionNamed(item.value.name) !== undefined) continue;
        const { name, arguments: terms } = item.value;
        if ((meaningOf(name)?.arities.length ?? 0) === 0) continue;
        const atom = `${name}(${[...terms.map(printExpression), item.variable.name].join(', ')})`;
        found.set(item.value, {
            suggestion: { kind: 'write', text: atom },
            remedy: say`'${name}' is a predicate, write '${atom}' as an item`,
        });
    }
    return found;
}

/** The same for the struct calls of a fact. */
export function* checkFactCalls(fact: Fact, program: Declarations): Iterable<Problem> {
    for (const term of fact.atom.arguments) {
        if (term.kind === 'string' || term.kind === 'integer' || term.kind === 'double') continue;
        const calls: Call[] = [];
        visitExpression(term, part => {
            if (part.kind === 'call') calls.push(part);
        });
        for (const call of calls) yield* checkCall(call, fact.place, program);
    }
}

/** A script run without the name of a script stands alone in its body. */
function isWholeBody({ span }: Call, { rule: { body } }: RuleFacts): boolean {
    return body.span.start === span.start && body.span.end === span.end;
}

function* checkCall(call: Call, place: ClausePlace, program: Declarations): Iterable<Problem> {
    const entry = functionNamed(call.name, program.prefixes);
    if (entry === undefined) {
        if (program.implemented.has(call.name)) {
            yield problem('RL5021', place, call.nameSpan, call.name);
            return;
        }
        const meant = meantByCall(call.name, call.arguments.map(printExpression));
        if (meant !== undefined && 'text' in meant) yield withForm(problem('RL5001', place, call.span, call.name), meant.text);
        else yield withMeant(problem('RL5001', place, call.nameSpan, call.name), meant?.name ?? meantFunction(call.name));
        return;
    }
    if (isPrefixedName(call.name, program.prefixes)) {
        const { start } = call.nameSpan;
        yield problem('RL9029', place, { start, end: start + call.name.indexOf(':') + 1 });
    }
    if (call.arguments.length === 1 && (entry.name === 'and' || entry.name === 'or'))
        yield problem('RL9031', place, call.nameSpan, call.name);
    if (isLegacyName(call.name)) yield problem('RL9030', place, call.nameSpan, call.name, entry.name);
    const given = call.arguments.length;
    const { least, most } = argumentCount(entry);
    if (given >= least && given <= most) {
        yield* checkConstantArguments(call, entry, place);
        return;
    }
    const found = problem('RL5002', place, call.nameSpan, call.name, countInWords(least, most), given);
    yield withRemedy(found, signature(entry));
}

/** The function of the same name in another namespace, else one with a near name, else one with a near word in its name. */
function meantFunction(name: string): string | undefined {
    const plain = name.slice(name.indexOf(':') + 1);
    const { ofPlainName, ofWord } = functionIndex();
    const near = ofPlainName.get(plain) ?? nearestName(name, functionNames());
    return near ?? ofWord.get(nearestName(plain, ofWord.keys()) ?? plain);
}

interface FunctionIndex {
    /** The first function of each name without its namespace, and with each word in its name. */
    readonly ofPlainName: ReadonlyMap<string, string>;
    readonly ofWord: ReadonlyMap<string, string>;
}

let index: FunctionIndex | undefined;

function functionIndex(): FunctionIndex {
    index ??= { ofPlainName: firstOf(known => [known.slice(known.indexOf(':') + 1)]), ofWord: firstOf(known => known.split(/[:_]/u)) };
    return index;
}

function firstOf(keysOf: (name: string) => readonly string[]): Map<string, string> {
    const first = new Map<string, string>();
    for (const known of functionNames()) for (const key of keysOf(known)) if (!first.has(key)) first.set(key, known);
    return first;
}

function countInWords(least: number, most: number): string {
    if (most === Number.POSITIVE_INFINITY) return say`at least ${least}`;
    if (least === most) return `${least}`;
    return most === least + 1 ? say`${least} or ${most}` : say`${least} to ${most}`;
}

function signature(entry: FunctionEntry): string {
    const written = entry.parameters.map(({ name, optional, variadic }) => `${name}${variadic ? '…' : ''}${optional ? '?' : ''}`);
    const unlike = entry.name === 'nullManagement:ifnull' ? say`, unlike SQL` : '';
    return say`write ${entry.name}(${written.join(', ')})${unlike}`;
}
