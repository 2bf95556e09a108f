import { tokenizeWithComments } from '#language/syntax/tokenize.ts';
import { type ClauseOutline, clauseOutline, type Part } from './clause-outline.ts';
import { spacedTokens } from './spaced-tokens.ts';

const WIDTH = 100;
const INDENT = '    ';

/**
 * The text of one clause without errors, laid out: on one line when that fits, else with one body item per line. Strings
 * and query bodies stay as they are, and so does a clause with comments in unusual places.
 */
export function formatClause(text: string, lineBreak: string): string {
    const outline = clauseOutline(text, tokenizeWithComments(text));
    if (outline === undefined) return text;
    const { annotations } = outline;
    const main = mainText(text, outline, lineBreak);
    if (annotations.length === 0) return main;
    const spaced = annotations.map(part => spacedTokens(part.tokens));
    if (outline.heads.length === 0) return `${spaced.join(' ')}.`;
    const together = `${spaced.join(' ')} ${main}`;
    const broken = breaksAfter(text, outline) || !fits(together);
    return broken ? [...spaced, main].join(lineBreak) : together;
}

/** The clause without its annotations. */
function mainText(text: string, outline: ClauseOutline, lineBreak: string): string {
    const { heads, items, query, arrowComment } = outline;
    const head = heads.map(part => spacedTokens(part.tokens)).join(', ');
    if (query !== undefined) return `${head} <-${queryText(text, query.start, query.end)}`;
    if (items.length === 0) return `${head}.`;
    const flat = `${head} <- ${items.map(part => spacedTokens(part.tokens)).join(', ')}.`;
    const commented = arrowComment !== undefined || items.some(item => item.above.length > 0 || item.behind !== undefined);
    if (!commented && fits(flat)) return flat;
    const opening = fits(`${head} <-`) ? head : heads.map(part => spacedTokens(part.tokens)).join(`,${lineBreak}${INDENT}`);
    const lines = items.flatMap((item, index) => itemLines(item, index === items.length - 1));
    return [`${opening} <-${behind(arrowComment)}`, ...lines].join(lineBreak);
}

/** The query body with the line breaks around it, up to the final dot. */
function queryText(text: string, start: number, end: number): string {
    const blanks = text.slice(text.slice(0, start).trimEnd().length, start);
    const lineBreak = blanks.search(/[\r\n]/);
    const after = text.slice(end, -1);
    return `${lineBreak < 0 ? ' ' : blanks.slice(lineBreak)}${text.slice(start, end)}${/[\r\n]/.test(after) ? after : ''}.`;
}

function itemLines(item: Part, last: boolean): string[] {
    const text = `${INDENT}${spacedTokens(item.tokens)}${last ? '.' : ','}${behind(item.behind)}`;
    return [...item.above.map(comment => `${INDENT}${comment}`), text];
}

function behind(comment: string | undefined): string {
    return comment === undefined ? '' : ` ${comment}`;
}

/** True when the author broke the line between annotations, or between them and the clause. */
function breaksAfter(text: string, { annotations, heads }: ClauseOutline): boolean {
    const parts = [...annotations, ...heads.slice(0, 1)];
    return annotations.some((annotation, index) => {
        const end = annotation.tokens.at(-1)?.end ?? 0;
        return /[\r\n]/.test(text.slice(end, parts[index + 1]?.tokens[0]?.start ?? end));
    });
}

function fits(text: string): boolean {
    return text.split('\n').every(line => line.length <= WIDTH);
}
