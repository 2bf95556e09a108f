import { DIRECTIVE_FORMS } from '#language/analysis/post-text.ts';
import { say } from '#language/program/say.ts';
import { inlineCode } from './markdown.ts';

const WORDS: ReadonlyMap<string, () => string> = new Map([
    ['prelimit', () => say`Keeps at most N rows, before all other directives.`],
    ['limit', () => say`Keeps at most N rows, after all other directives.`],
    ['certain', () => say`Keeps the rows without unknown values.`],
    ['unique', () => say`Has no effect: rows are always distinct.`],
    ['min', () => say`Keeps the smallest values of the columns, for each group of the other columns.`],
    ['max', () => say`Keeps the largest values of the columns, for each group of the other columns.`],
    ['argmin', () => say`Keeps, for each group, the rows with the smallest value of a column.`],
    ['argmax', () => say`Keeps, for each group, the rows with the largest value of a column.`],
    ['orderby', () => say`Sorts by the columns; a minus sign before a column sorts in descending order.`],
]);

/** Documents a directive of `@post`, as Markdown. */
export function directiveDocumentation(word: string): string | undefined {
    const form = DIRECTIVE_FORMS.get(word);
    const text = WORDS.get(word);
    return form === undefined || text === undefined ? undefined : `${inlineCode(form)} ${text()}`;
}
