import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { ProgramFacts } from '#language/analysis/declarations.ts';
import { isTestFile } from '#language/analysis/test-cases.ts';
import { nearestNames } from '#language/library/nearest-name.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { problem, suggesting, withMeant, withRelated, withSeverity } from '../catalogue.ts';
import { remedyOf } from '../remedies.ts';

/** Parameters and their declarations: RL8001, RL8002, RL8003. A script gets all parameters and may read any. */
export function* checkParameters(
    facts: Pick<ProgramFacts, 'annotations' | 'parameterUses' | 'options' | 'openWorld' | 'file'>,
    hasScripts: boolean,
): Iterable<Problem> {
    const { annotations, parameterUses, options, openWorld, file } = facts;
    const declared = new Map<string, (typeof annotations)[number]>();
    const used = new Set(parameterUses.map(use => use.name));
    for (const placed of annotations) {
        const argument = placed.annotation.arguments[0];
        const name = placed.annotation.name === 'param' ? textOf(argument) : undefined;
        if (name === undefined || argument === undefined) continue;
        const earlier = declared.get(name);
        if (earlier !== undefined) {
            // A test case gives a parameter another value.
            if (isTestFile(file)) continue;
            const related = [{ place: earlier.place, span: earlier.annotation.span, message: say`declared here` }];
            yield withRelated(problem('RL8003', placed.place, argument.span, name), related);
            continue;
        }
        declared.set(name, placed);
        if (!used.has(name) && !hasScripts && !openWorld && placed.place.file === file)
            yield problem('RL8002', placed.place, argument.span, name);
    }
    const repeated = repeatedIn(parameterUses);
    const nearestTo = nearestNames([...declared.keys()]);
    for (const { name, place, span, lenient } of parameterUses) {
        if (lenient || declared.has(name) || options.suppliedParameters?.has(name)) continue;
        const unknown = problem('RL8001', place, span, name);
        const variable = repeated.get(place)?.has(name) ? variableFor(name, span) : undefined;
        const nearest = nearestTo(name);
        const found = variable === undefined ? withMeant(unknown, nearest) : withVariable(unknown, variable, nearest);
        yield options.concept ? withSeverity(found, 'information') : found;
    }
}

/** The fix writes the variable, also where the words name the parameter that was probably meant. */
function withVariable(found: Problem, variable: string, nearest: string | undefined): Problem {
    const told =
        nearest === undefined
            ? say`declare it with @param; a variable is written '${variable}'`
            : remedyOf({ kind: 'meant', name: nearest });
    return suggesting(found, { kind: 'write', text: variable }, told);
}

/** The names that a clause uses more than once, by its place. */
function repeatedIn(uses: ProgramFacts['parameterUses']): ReadonlyMap<ClausePlace, ReadonlySet<string>> {
    const used = new Map<ClausePlace, Set<string>>();
    const repeated = new Map<ClausePlace, Set<string>>();
    for (const { name, place } of uses) {
        const before = used.get(place) ?? new Set();
        if (before.has(name)) repeated.set(place, (repeated.get(place) ?? new Set()).add(name));
        used.set(place, before.add(name));
    }
    return repeated;
}

/** `?x` is a variable in other languages. */
function variableFor(name: string, { start, end }: Span): string | undefined {
    if (end - start !== name.length + 1) return undefined;
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
