import { allClauses } from '#language/program/inclusion.ts';
import type { Program } from '#language/program/program.ts';
import { namedAnnotations, placedAnnotations } from './annotation-arguments.ts';
import { writtenPredicates } from './binds.ts';
import { isUnknownInclude } from './declarations.ts';
import { atomsOf } from './name-entry.ts';

/** `writtenPredicates` of a program that is read and not analysed, with its modules; `output` counts as one of its outputs. */
export function predicatesWritten(program: Program, output?: string): ReadonlySet<string> {
    const annotations = placedAnnotations(program);
    const outputs = namedAnnotations(annotations, 'output').map(({ predicate }) => predicate);
    const isOpen = annotations.some(placed => isUnknownInclude(placed, program));
    const heads = new Set(
        isOpen
            ? []
            : allClauses(program)
                  .flatMap(atomsOf)
                  .map(({ predicate }) => predicate),
    );
    return writtenPredicates(output === undefined ? outputs : [...outputs, output], name => isOpen || heads.has(name));
}
