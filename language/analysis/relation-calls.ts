import { isGraphFunction, type ReadOptions, readRelationOptions } from '#language/library/relation-options.ts';
import { relationTypes } from '#language/library/relation-types.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { RelationCall, Rule } from '#language/program/program.ts';
import type { Type } from '#language/program/types.ts';

/** The options of a graph function; undefined where parameters in their text decide, or for another function. */
export function writtenOptions({ name, options }: RelationCall): ReadOptions | undefined {
    const text = options?.value ?? '';
    return isGraphFunction(name) && !text.includes('${') ? readRelationOptions(name, text) : undefined;
}

/** The types of the columns that a rule's relation function gives; empty where they are not known, and for other rules. */
export function answerTypes(
    { body }: Rule,
    relation: PredicateKey | undefined,
    columns: ReadonlyMap<PredicateKey, readonly Type[]>,
): readonly Type[] {
    if (body.kind !== 'relation-function' || relation === undefined) return [];
    const question = writtenOptions(body.call)?.question;
    return question === undefined ? [] : relationTypes(question, columns.get(relation) ?? []);
}
