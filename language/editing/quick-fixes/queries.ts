import { argumentsOf } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { type Fix, type FixRequest, otherFix, preferredFix, replacement } from './fix.ts';

/** RL7011: no ORDER BY, which orders nothing. */
export function* removeOrder(request: FixRequest): Iterable<Fix> {
    const { problem, text } = request;
    const start = text.slice(0, problem.span.start).trimEnd().length;
    yield preferredFix(request, say`Remove the ORDER BY`, replacement({ start, end: problem.span.end }, ''));
}

/** RL7007: the name of each table that has the column before it. */
export function* qualifyColumn(request: FixRequest): Iterable<Fix> {
    const [column, tables] = argumentsOf(request.problem, 'RL7007');
    for (const table of tables)
        yield otherFix(request, say`Write '${table}.${column}'`, replacement(request.problem.span, `${table}.${column}`));
}

/** RL7009: a head without terms, which takes its columns from the query. */
export function* leaveColumnsToQuery(request: FixRequest): Iterable<Fix> {
    const open = request.marked.indexOf('(');
    if (open < 0) return;
    const { start, end } = request.problem.span;
    yield otherFix(request, say`Take the columns from the query`, replacement({ start: start + open, end }, '()'));
}
