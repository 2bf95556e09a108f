import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { PlacedAnnotation } from '#language/analysis/program-facts.ts';
import { isTestFile } from '#language/analysis/test-cases.ts';
import { type IncludeTarget, type Inclusion, includeTarget } from '#language/program/inclusion.ts';
import type { Problem } from '#language/program/problem.ts';
import type { AnnotationArgument, Program } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, withMeant, withRelated, withRemedy } from '../catalogue.ts';

/** Names of modules and what includes find: RL8010 to RL8015. */
export function* checkModules(program: Program, annotations: readonly PlacedAnnotation[]): Iterable<Problem> {
    const [first] = program.clauses;
    const included = new Map<string, PlacedAnnotation>();
    for (const placed of annotations) {
        const { annotation, place, clause } = placed;
        const isLate = annotation.name === 'module' && place.file === program.file && clause !== first;
        if (isLate) yield problem('RL8014', place, annotation.nameSpan);
        const argument = annotation.name === 'include' ? annotation.arguments[0] : undefined;
        const name = textOf(argument);
        const target = name === undefined ? undefined : includeTarget(program, name, place.file);
        if (argument === undefined || name === undefined || target === undefined) continue;
        const include = { placed, argument, name };
        if (target.kind !== 'module') {
            yield notFound(include, target);
            continue;
        }
        const key = `${place.file}\n${target.module.file}`;
        const earlier = included.get(key);
        if (earlier !== undefined) {
            const related = [{ place: earlier.place, span: earlier.annotation.span, message: say`included here` }];
            yield withRelated(problem('RL8015', place, argument.span), related);
            continue;
        }
        included.set(key, placed);
        yield* checkInclude(include, target.module.file, program, annotations);
    }
}

interface Include {
    readonly placed: PlacedAnnotation;
    readonly argument: AnnotationArgument;
    readonly name: string;
}

function notFound({ placed: { place }, argument, name }: Include, target: Exclude<IncludeTarget, { kind: 'module' }>): Problem {
    switch (target.kind) {
        case 'missing': {
            const looked = target.looked.map(path => `'${path}'`).join(', ');
            const which = target.partly === true ? say`none of the files that were looked into, which are not all,` : say`no file`;
            const nowhere = say`${which} names itself so with @module${looked === '' ? '' : say`, and there is no file ${looked}`}`;
            return withMeant(withRemedy(problem('RL8010', place, argument.span, name), nowhere), target.nearest);
        }
        case 'refused':
            return withRemedy(problem('RL8010', place, argument.span, name), target.reason);
        case 'several':
            return withRemedy(problem('RL8011', place, argument.span, name), say`rename the module in one of ${target.files.join(', ')}`);
    }
}

function* checkInclude(
    { placed: { place }, argument, name }: Include,
    file: string,
    { file: own, inclusion }: Program,
    annotations: readonly PlacedAnnotation[],
): Iterable<Problem> {
    const back = inclusion && wayBetween(inclusion, file, place.file);
    if (back !== undefined) yield problem('RL8012', place, argument.span, [name, ...back, name].join(' → '));
    const hasOutput = annotations.some(other => other.annotation.name === 'output' && other.place.file === file);
    if (file !== own && hasOutput && !isTestFile(place.file)) yield problem('RL8013', place, argument.span);
}

/** The names through which a file includes another one, the shortest way; none from a file to itself. */
function wayBetween({ targets }: Inclusion, from: string, to: string): readonly string[] | undefined {
    const ways = new Map<string, readonly string[]>([[from, []]]);
    for (const [file, way] of ways) {
        if (file === to) return way;
        for (const [name, target] of targets.get(file) ?? []) {
            if (target.kind === 'module' && !ways.has(target.module.file)) ways.set(target.module.file, [...way, name]);
        }
    }
    return undefined;
}
