import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { Declarations } from '#language/analysis/declarations.ts';
import { LIBRARIES, NAMESPACES } from '#language/library/function-catalogue.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem, withMeant } from '../catalogue.ts';

/** Checks `@library`: unknown libraries, RL6120, and prefixes with another meaning already, RL6121. */
export function* checkLibraries({ annotations }: Declarations): Iterable<Problem> {
    const declared = new Map<string, string>();
    for (const { annotation, place } of annotations) {
        if (annotation.name !== 'library') continue;
        const [first, second] = annotation.arguments;
        const prefix = textOf(first)?.replace(/:$/u, '');
        const library = textOf(second);
        if (first === undefined || second === undefined || prefix === undefined || library === undefined) continue;
        if (!LIBRARIES.includes(library)) {
            yield withMeant(problem('RL6120', place, second.span, library), nearestName(library, LIBRARIES));
        }
        const known = declared.get(prefix) ?? (NAMESPACES.has(prefix) ? prefix : undefined);
        if (known !== undefined && !isSame(known, library)) yield problem('RL6121', place, first.span, prefix);
        declared.set(prefix, library);
    }
}

function isSame(a: string, b: string): boolean {
    return a === b || (a.startsWith('hash') && b.startsWith('hash'));
}
