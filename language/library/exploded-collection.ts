import type { Expression } from '#language/program/program.ts';
import { functionNamed, type LibraryPrefixes } from './function-catalogue.ts';

/** The collection in a call of `explode`, as the right side of an assignment: the rule matches once for each element (D-55). */
export function explodedCollection(value: Expression, prefixes?: LibraryPrefixes): Expression | undefined {
    if (value.kind !== 'call') return undefined;
    return functionNamed(value.name, prefixes)?.name === 'collections:explode' ? value.arguments[0] : undefined;
}
