import type { SqlNode } from './parse-select.ts';
import { isNode } from './sql-nodes.ts';
import type { SqlPiece } from './sql-pieces.ts';

/** A query by its offsets in a text, with those within it that are parsed apart. */
interface Query {
    readonly start: number;
    end: number;
    readonly inner: Query[];
    /** A query stands within it, apart or not. */
    isOuter: boolean;
}

/** Words before a query in brackets that make it an operand instead of a query of its own. */
const SET_WORDS = new Set(['union', 'intersect', 'except', 'all', 'distinct']);
/** Begins the text that stands for a query. */
const MARK = '\ue001';

/** The tree of a text, or the place where the parser failed; neither if the text is not a query. */
export interface ParsedText {
    readonly select?: SqlNode;
    readonly refusedAt?: number;
}

/**
 * Parses a query whose pieces begin at `starts`. The parser needs twice as long for each level of queries within queries: those that
 * have others within them are parsed apart, with a constant in their place. Of several mistakes the first counts.
 */
export function parseNested(
    text: string,
    pieces: readonly SqlPiece[],
    starts: readonly number[],
    parse: (text: string) => ParsedText,
): ParsedText {
    const whole = nestedQueries(text, pieces, starts);
    const trees = new Map<Query, SqlNode>();
    let refusedAt = Number.POSITIVE_INFINITY;
    const queries = [whole];
    for (const query of queries) {
        queries.push(...query.inner);
        const { written, offsetOf } = withMarks(text, query);
        const parsed = parse(written);
        if (parsed.select !== undefined) trees.set(query, parsed.select);
        else if (parsed.refusedAt === undefined) return {};
        else refusedAt = Math.min(refusedAt, offsetOf(parsed.refusedAt));
    }
    if (refusedAt < Number.POSITIVE_INFINITY) return { refusedAt };
    for (const query of queries)
        putTogether(
            trees.get(query),
            query.inner.map(inner => trees.get(inner)),
        );
    const select = trees.get(whole);
    return select === undefined ? {} : { select };
}

function nestedQueries(text: string, pieces: readonly SqlPiece[], starts: readonly number[]): Query {
    const whole: Query = { start: 0, end: text.length, inner: [], isOuter: true };
    const told = Array.from(pieces, (piece, i) => ({ piece, start: starts[i] ?? 0 })).filter(({ piece }) => piece.kind !== 'comment');
    const brackets: (Query | undefined)[] = [];
    const open = [whole];
    const close = (query: Query | undefined, end: number): void => {
        if (query === undefined) return;
        query.end = end;
        open.pop();
        const around = open.at(-1) ?? whole;
        around.isOuter = true;
        if (query.isOuter) around.inner.push(query);
    };
    for (const [i, { piece, start }] of told.entries()) {
        if (piece.kind !== 'sign') continue;
        if (piece.text === '(') {
            const isQuery = /^(?:select|with)$/iu.test(told[i + 1]?.piece.text ?? '');
            const isOperand = SET_WORDS.has(told[i - 1]?.piece.text.toLowerCase() ?? '');
            const query = isQuery && !isOperand && i > 0 ? { start: start + 1, end: text.length, inner: [], isOuter: false } : undefined;
            if (query !== undefined) open.push(query);
            brackets.push(query);
        } else if (piece.text === ')') close(brackets.pop(), start);
    }
    while (brackets.length > 0) close(brackets.pop(), text.length);
    return whole;
}

/** The text of a query with constants for those within it, and where the offsets in that lie in the whole text. */
function withMarks(
    text: string,
    { start, end, inner }: Query,
): { readonly written: string; readonly offsetOf: (offset: number) => number } {
    let written = '';
    let from = start;
    const parts: { readonly at: number; readonly from: number }[] = [{ at: 0, from }];
    for (const [i, query] of inner.entries()) {
        written += `${text.slice(from, query.start)}select '${MARK}${i}'`;
        from = query.end;
        parts.push({ at: written.length, from });
    }
    const offsetOf = (offset: number): number => {
        const part = parts.findLast(({ at }) => at <= offset);
        return part === undefined ? offset : part.from + offset - part.at;
    };
    return { written: written + text.slice(from, end), offsetOf };
}

/** Puts queries into the tree of the one around them, where their constants are. */
function putTogether(tree: SqlNode | undefined, inner: readonly (SqlNode | undefined)[]): void {
    const work: unknown[] = inner.length === 0 ? [] : [tree];
    for (let one = work.pop(); work.length > 0 || one !== undefined; one = work.pop()) {
        if (typeof one !== 'object' || one === null) continue;
        for (const [key, value] of Object.entries(one)) {
            const query = inner[markIn(value) ?? -1];
            if (query === undefined) work.push(value);
            else Object.assign(one, { [key]: query });
        }
    }
}

/** The number of the query that a SELECT stands for. */
function markIn(value: unknown): number | undefined {
    if (!isNode(value) || value.type !== 'select' || !Array.isArray(value.columns)) return undefined;
    const [column] = value.columns;
    const text = isNode(column) && isNode(column.expr) ? column.expr.value : undefined;
    return typeof text === 'string' && text.startsWith(MARK) ? Number(text.slice(MARK.length)) : undefined;
}
