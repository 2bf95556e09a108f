import { typeNamed } from '#language/library/type-names.ts';
import { MIXED } from '#language/program/types.ts';
import { namedAnnotations, textOf } from './annotation-arguments.ts';
import type { MappingFacts, PlacedAnnotation } from './program-facts.ts';

/** The mappings in text order (8.5). A type that is unknown, which the checks refuse, is read as any type. */
export function readMappings(annotations: readonly PlacedAnnotation[]): MappingFacts[] {
    return namedAnnotations(annotations, 'mapping').flatMap(named => {
        const [, position, column, type] = named.annotation.arguments;
        const name = textOf(column);
        const typeText = textOf(type);
        if (position?.kind !== 'integer' || name === undefined || typeText === undefined) return [];
        return [{ ...named, position: Number(position.value), column: name.trim(), type: typeNamed(typeText) ?? MIXED }];
    });
}

/** The mapping of a column; the first of several counts. */
export function mappingOf(mappings: readonly MappingFacts[], column: number): MappingFacts | undefined {
    return mappings.find(({ position }) => position === column);
}
