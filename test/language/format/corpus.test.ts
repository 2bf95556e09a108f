import { describe, expect, test } from 'vitest';
import { formatText } from '#language/editing/format-edits.ts';
import { splitClauses } from '#language/syntax/split-clauses.ts';
import { tokenizeWithComments } from '#language/syntax/tokenize.ts';
import { conformancePrograms } from '../../support/conformance.ts';

/** Every comment of a text, in order, without the blanks around it. */
function comments(text: string): string[] {
    const found: string[] = [];
    let end = 0;
    const between = (start: number): void =>
        void found.push(
            ...text
                .slice(end, start)
                .split('\n')
                .flatMap(line => /%.*/u.exec(line)?.[0].trim() ?? []),
        );
    for (const slice of splitClauses(text, '')) {
        const { offset } = slice.place;
        between(offset);
        const clause = text.slice(offset, slice.end);
        for (const token of tokenizeWithComments(clause))
            if (token.kind === 'comment') found.push(clause.slice(token.start, token.end).trim());
        ({ end } = slice);
    }
    between(text.length);
    return found;
}

/** Whether an empty line stands between each clause and the next. */
function paragraphs(text: string): boolean[] {
    const slices = [...splitClauses(text, '')];
    return slices.slice(1).map((slice, i) => /\n[ \t]*\n/u.test(text.slice(slices[i]?.end ?? 0, slice.place.offset)));
}

describe('laying out a program of the corpus', () => {
    test.each(conformancePrograms().map(({ name, text }) => [name, text] as const))('keeps comments and paragraphs: %s', (_, text) => {
        const once = formatText(text);
        expect(comments(once)).toEqual(comments(text));
        expect(paragraphs(once)).toEqual(paragraphs(text));
        expect(formatText(once)).toBe(once);
    });
});
