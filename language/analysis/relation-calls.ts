import { type ProjectedColumn, projectedColumns, readModelQuestion } from '#language/library/model-question.ts';
import { isGraphFunction, type ReadOptions, readRelationOptions } from '#language/library/relation-options.ts';
import { relationTypes } from '#language/library/relation-types.ts';
import type { RelationCall, Rule } from '#language/program/program.ts';
import { MIXED, type Type } from '#language/program/types.ts';

/** The options of a graph function; undefined where parameters in their text decide, or for another function. */
export function writtenOptions({ name, options }: RelationCall): ReadOptions | undefined {
    const text = options?.value ?? '';
    return isGraphFunction(name) && !text.includes('${') ? readRelationOptions(name, text) : undefined;
}

/** Input columns, and one for each prompt, as far as the text of the options says without parameters. */
function modelTypes(text: string, input: readonly Type[]): readonly Type[] {
    const question = text.includes('${') ? undefined : readModelQuestion(text, input.length).question;
    if (question === undefined) return [];
    const typeOf = ({ kind, index }: ProjectedColumn): Type => (kind === 'arg' ? input[index - 1] : question.types[index - 1]) ?? MIXED;
    return projectedColumns(question, input.length).map(typeOf);
}

/** The types of the columns that a rule's relation function gives over columns of these types; empty where they are not known, and for other rules. */
export function answerTypes({ body }: Rule, input: readonly Type[] | undefined): readonly Type[] {
    if (body.kind !== 'relation-function' || input === undefined) return [];
    if (body.call.name === 'LLM') return modelTypes(body.call.options?.value ?? '', input);
    const question = writtenOptions(body.call)?.question;
    return question === undefined ? [] : relationTypes(question, input);
}
