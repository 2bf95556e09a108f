import { QueryFailed } from '#engine/contracts/queries.ts';
import { withoutKind } from './duckdb-failures.ts';
import type { DialectText } from './sql-text.ts';

/** More functions of one name, such as a sign, do not help the reader. */
const MOST_CANDIDATES = 3;

/** Returns DuckDB's error without its picture of the line, but with the place in the query. `linesBefore` lines precede the query. */
export function inWords(error: unknown, { text, placeOf }: DialectText, linesBefore = 0): unknown {
    if (!(error instanceof Error) || error.constructor !== Error) return error;
    const [said = '', picture] = error.message.split(/\n\nLINE (?=\d+: )/u, 2);
    const [what = '', candidates = ''] = withoutKind(said).split('\n\tCandidate functions:\n', 2);
    const few = candidates.split('\n').filter(line => line.trim() !== '');
    const told = few.length === 0 || few.length > MOST_CANDIDATES ? what : [what, 'Candidate functions:', ...few].join('\n');
    const message = told.replaceAll(/\n\t?|\t/gu, ' ');
    const at = picture === undefined ? undefined : offsetInPicture(picture, text, linesBefore);
    return new QueryFailed(message, at === undefined ? undefined : { start: placeOf(at), end: placeOf(at + 1) });
}

/** The offset of the caret under `3: the line`; undefined where DuckDB shows a part of the line. */
function offsetInPicture(picture: string, text: string, linesBefore: number): number | undefined {
    const [line = '', caret = ''] = picture.split('\n');
    const colon = line.indexOf(': ');
    const number = Number(line.slice(0, colon)) - linesBefore;
    const lines = text.split('\n');
    const shown = line.slice(colon + 2);
    if (shown !== lines[number - 1]) return undefined;
    const before = lines.slice(0, number - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const column = caret.indexOf('^') - 'LINE '.length - colon - 2;
    return column < 0 ? undefined : before + column;
}
