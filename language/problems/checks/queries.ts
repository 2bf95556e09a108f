import type { AnalysisOptions, Meanings, QueryFacts, RuleFacts } from '#language/analysis/program-facts.ts';
import { querySchemaOf, searchedStore } from '#language/analysis/queries.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { spanInSql, sqlOf } from '#language/program/embedded-sql.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Span } from '#language/program/span.ts';
import type { QueryFault } from '#language/program/sql-reading.ts';
import { problem, withMeant, withWritten } from '../catalogue.ts';

/**
 * SQL queries, as bodies and in relation functions: their text (RL7001, RL7012), tables (RL7003), columns (RL7006, RL7007), quotes (RL7008),
 * functions (RL7015), heads (RL7009, RL7010, RL7014), order (RL7011), and whether there is an answer at all (RL7017).
 */
export function* checkQueries(facts: RuleFacts, meaningOf: Meanings, { unansweredQueries }: AnalysisOptions): Iterable<Problem> {
    const { rule, place, query } = facts;
    if (query === undefined) return;
    const { problem: fault, idleOrder, doubleQuoted = [], unnamed = [], unknownFunctions = [] } = query.reading;
    const sql = sqlOf(rule);
    const spanOf = (part: Span): Span => (sql === undefined ? part : spanInSql(sql, part));
    if (fault !== undefined) {
        const { message, reserved, isWrite } = fault;
        if (isWrite) yield problem('RL7012', place, spanOf(fault));
        else yield withWritten(problem('RL7001', place, spanOf(fault), message), reserved && `\`${reserved}\``);
        return;
    }
    for (const quoted of doubleQuoted) {
        const name = quoted.name.replaceAll('`', '``');
        yield withWritten(problem('RL7008', place, spanOf(quoted)), `\`${name}\``);
    }
    for (const table of query.tables) {
        const meaning = meaningOf(tableName(table.predicate));
        if (meaning !== undefined && (meaning.arities.length > 0 || meaning.possiblyDefined || meaning.emptyModel)) continue;
        yield withMeant(problem('RL7003', place, spanOf(table), table.name), meaningOf(table.name)?.nearest);
    }
    for (const found of querySchemaOf(query, () => undefined).faults) yield columnProblem(found, facts, spanOf(found));
    for (const called of unknownFunctions) yield withMeant(problem('RL7015', place, spanOf(called), called.name), called.nearest);
    const unanswered = sql && unansweredQueries?.get(sql.text);
    if (sql && unanswered) yield problem('RL7017', place, unanswered.place ? spanOf(unanswered.place) : sql.span, unanswered.reason);
    if (idleOrder !== undefined) yield problem('RL7011', place, spanOf(idleOrder));
    if (rule.body.kind !== 'query') return;
    yield* checkHead(facts, query.width);
    if (!takesNames(facts)) return;
    for (const item of unnamed) {
        const named = [rule.body.text.slice(item.start, item.end), 'AS', `column_${item.column}`].join(' ');
        yield withWritten(problem('RL7014', place, spanOf(item), item.column), named);
    }
}

/** Whether the head leaves the names of its columns to the query: its terms stand where its name does. */
function takesNames({ rule: { head } }: RuleFacts): boolean {
    const [atom] = head.kind === 'atoms' ? head.atoms : [];
    return atom?.arguments.every(term => term.span.start === atom.nameSpan.start) === true;
}

/** Reports queries that no run answers (RL7016), Cypher that writes (RL7012), and searches in sources other than vector stores (RL7013). */
export function* checkOtherQueries({ rule: { body }, place }: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    if (body.kind !== 'query' || body.language === 'sql') return;
    const spanOf = (at: number, length: number): Span => ({ start: body.span.start + at, end: body.span.start + at + length });
    const [word = ''] = /^\w*/u.exec(body.text) ?? [];
    yield problem('RL7016', place, spanOf(0, word.length), body.language);
    if (body.language === 'cypher') {
        const written = [...body.text.matchAll(WRITE_CLAUSE)].find(([, word]) => word !== undefined);
        if (written !== undefined) yield problem('RL7012', place, spanOf(written.index, written[0].length));
    }
    const searched = searchedStore(body);
    const meaning = searched && meaningOf(searched.name);
    if (searched === undefined || meaning?.vectorStore || meaning?.possiblyDefined) return;
    yield problem('RL7013', place, spanOf(searched.at, searched.name.length));
}

/** Texts, names in quotes and comments, and a word that begins a clause which writes: in capital letters, or first of all. */
const WRITE_CLAUSE =
    /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|((?<![\w.:$])(?:CREATE|MERGE|DELETE|SET|REMOVE)(?=\s)|^(?:create|merge|delete|set|remove)(?=\s))/gu;

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
