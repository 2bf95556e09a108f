import type { Meanings, QueryFacts, RuleFacts } from '#language/analysis/program-facts.ts';
import { querySchemaOf } from '#language/analysis/queries.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { spanInSql, sqlOf } from '#language/program/embedded-sql.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Span } from '#language/program/span.ts';
import type { QueryFault } from '#language/program/sql-reading.ts';
import { problem, withMeant } from '../catalogue.ts';

/** SQL queries, as bodies and in relation functions: their text (RL7001), tables (RL7003), columns (RL7006, RL7007), heads (RL7009, RL7010) and order (RL7011). */
export function* checkQueries(facts: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    const { rule, place, query } = facts;
    if (query === undefined) return;
    const { problem: fault, idleOrder } = query.reading;
    const sql = sqlOf(rule);
    const spanOf = (part: Span): Span => (sql === undefined ? part : spanInSql(sql, part));
    if (fault !== undefined) {
        yield problem('RL7001', place, spanOf(fault), fault.message);
        return;
    }
    for (const table of query.tables) {
        const meaning = meaningOf(tableName(table.predicate));
        if (meaning !== undefined && (meaning.arities.length > 0 || meaning.possiblyDefined || meaning.emptyModel)) continue;
        yield withMeant(problem('RL7003', place, spanOf(table), table.name), meaningOf(table.name)?.nearest);
    }
    for (const found of querySchemaOf(query, () => undefined).faults) yield columnProblem(found, facts, spanOf(found));
    if (idleOrder !== undefined) yield problem('RL7011', place, spanOf(idleOrder));
    if (rule.body.kind === 'query') yield* checkHead(facts, query.width);
}

function tableName(predicate: QueryFacts['tables'][number]['predicate']): string {
    return predicate.slice(0, predicate.lastIndexOf('/'));
}

function columnProblem({ kind, column, tables, candidates }: QueryFault, { place }: RuleFacts, span: Span): Problem {
    if (kind === 'ambiguous') return problem('RL7007', place, span, column, tables);
    const dot = column.lastIndexOf('.') + 1;
    const nearest = nearestName(column.slice(dot), candidates);
    return withMeant(problem('RL7006', place, span, column, tables), nearest && `${column.slice(0, dot)}${nearest}`);
}

function* checkHead({ rule, place }: RuleFacts, width: number | undefined): Iterable<Problem> {
    const { head } = rule;
    const [atom, second] = head.kind === 'atoms' ? head.atoms : [];
    if (atom === undefined || second !== undefined) {
        yield problem('RL7010', place, head.span);
        return;
    }
    const seen = new Set<string>();
    for (const term of atom.arguments) {
        if (term.kind === 'variable' ? seen.has(term.name) : term.kind !== 'anonymous') yield problem('RL7010', place, term.span);
        if (term.kind === 'variable') seen.add(term.name);
    }
    const { length } = atom.arguments;
    if (width !== undefined && length > 0 && length !== width) yield problem('RL7009', place, atom.span, width, length);
}
