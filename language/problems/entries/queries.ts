import { counted } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { ProblemEntry } from '../problem-entry.ts';

/** RL70xx: queries in rules. */
export const QUERY_PROBLEMS = {
    RL7001: {
        name: 'query-syntax',
        severity: 'error',
        message: (reason: string) => say`SQL syntax: ${reason}`,
        why: 'The body of the rule is read as one SELECT statement, or WITH … SELECT, and this text is none.',
        example: 'e(1, 2). @output("t"). t(X) <- SELECT e_0 FRM e.',
    },
    RL7003: {
        name: 'unknown-table',
        severity: 'error',
        message: (table: string) => say`Table '${table}' is not a predicate or CTE`,
        why: 'The tables of a query are the predicates of the program, and what its own WITH defines. There is neither of this name.',
        example: 'edge(1, 2). @output("t"). t(X) <- SELECT edge_0 FROM edges.',
    },
    RL7004: {
        name: 'recursion-through-query',
        severity: 'error',
        message: (cycle: string) => say`Recursion through a query body: ${cycle}`,
        remedy: 'break the cycle, so that what the query reads is finished first',
        why: 'A query reads finished tables. Here a table is only finished when the result of the query is known.',
        example: 'e(1, 2). @output("t"). t(X, Y) <- SELECT u_0, u_1 FROM u. u(X, Y) <- e(X, Y). u(X, Y) <- t(X, Y).',
    },
    RL7006: {
        name: 'unknown-query-column',
        severity: 'error',
        message: (column: string, tables: readonly string[]) =>
            tables.length === 0
                ? say`Unknown column '${column}'`
                : say`Unknown column '${column}' of ${tables.map(name => `'${name}'`).join(', ')}`,
        why: "A query calls columns by the names that a model, a mapping or the source gives them, and otherwise by their numbers, 'edge_0'. No table of the query has this one.",
        example: '@model("e", "[\'source:int\', \'target:int\']", ""). e(1, 2). @output("t"). t(X) <- SELECT sorce FROM e.',
    },
    RL7007: {
        name: 'ambiguous-query-column',
        severity: 'error',
        message: (column: string, _tables: readonly string[]) => say`Column '${column}' is ambiguous`,
        remedy: 'write the name of its table and a dot before it',
        why: 'Several tables of the query have a column of this name.',
        example: '@model("a", "[\'id:int\']", ""). @model("b", "[\'id:int\']", ""). a(1). b(1). @output("t"). t(X) <- SELECT id FROM a, b.',
    },
    RL7008: {
        name: 'double-quoted-name',
        severity: 'hint',
        message: () => say`Quote identifiers with backticks`,
        why: 'Some dialects of SQL take what stands in double quotes for a text. Backticks quote names in all of them here.',
        example: 'e(1, 2). @output("t"). t(X) <- SELECT e."e_0" FROM e.',
    },
    RL7009: {
        name: 'query-columns',
        severity: 'error',
        message: (returned: number, head: number) => say`Query returns ${counted(returned, 'column')} but the head has ${head}`,
        remedy: 'give the head one variable for each column, or none at all',
        why: 'The columns of the result fill the head in order.',
        example: 'e(1, 2). @output("t"). t(X) <- SELECT e_0, e_1 FROM e.',
    },
    RL7010: {
        name: 'query-head',
        severity: 'error',
        message: () => say`Head of a query rule takes distinct variables or none`,
        remedy: 'filter in the query, or in a rule that reads the result',
        why: 'The head only names the columns of the result. What it should compute or compare belongs into the query.',
        example: 'e(1, 2). @output("t"). t(X, X) <- SELECT e_0, e_1 FROM e.',
    },
    RL7011: {
        name: 'query-order',
        severity: 'hint',
        message: () => say`ORDER BY without LIMIT has no effect`,
        remedy: 'order the output with @post',
        why: 'The result of a query is a set of rows, like every predicate, and has no order.',
        example: 'e(1, 2). @output("t"). t(X) <- SELECT e_0 FROM e ORDER BY e_0.',
    },
    RL7012: {
        name: 'writing-query',
        severity: 'error',
        message: () => say`Write clauses are not allowed; use an output bind`,
        why: 'A query gives a predicate its rows. What leaves a program does so through its outputs and their binds.',
        example: '@output("t"). t() <- CREATE (a:person) RETURN a.',
    },
    RL7013: {
        name: 'search-without-vectors',
        severity: 'error',
        message: () => say`Vector search needs a predicate bound to a vector store`,
        remedy: 'name the columns of a SQL query in backticks, or bind the predicate',
        why: 'Texts are compared by their vectors, and only a vector store has some.',
        example: 'e(1, 2). @output("t"). t(X) <- ASK "red shoes" FROM e.',
    },
    RL7014: {
        name: 'column-without-alias',
        severity: 'hint',
        message: (column: number) => say`Output column ${column} has no alias`,
        why: 'The head leaves the names of its columns to the query, and this one has none: it is called by its number.',
        example: 'e(1, 2). @output("t"). t() <- SELECT e_0, e_1 + 1 FROM e.',
    },
    RL7015: {
        name: 'unknown-query-function',
        severity: 'warning',
        message: (f: string) => say`'${f}' is no function that queries may call`,
        why: 'Queries call functions of their arguments alone: none that reads a file, a setting or a clock. A run ends at another one.',
        example: 'e(1, 2). @output("t"). t(X) <- SELECT uper(e_0) FROM e.',
    },
    RL7016: {
        name: 'query-language-not-run',
        severity: 'warning',
        message: (language: 'cypher' | 'vector') =>
            language === 'cypher' ? say`A run answers no queries in Cypher here` : say`A run does not search vectors here`,
        remedy: 'write it as rules, or as a query of SQL',
        why: 'Such bodies are read for systems that have a graph database or a vector store. The rest of the program can be checked all the same, and a run that needs the predicate ends with RT062.',
        example: 'person(1). @output("t"). t(X) <- MATCH (p:person) RETURN p.person_0.',
    },
    RL7017: {
        name: 'query-without-answer',
        severity: 'warning',
        message: (reason: string) => say`A run cannot answer this query: ${reason}`,
        why: 'The database that answers queries refuses this one for its text and for the types of its columns, whatever rows there are. A run ends with RT091.',
        example: 'e(1, 2). @output("t"). t(X, Y) <- SELECT e_0, sum(e_1) FROM e.',
        unanswered: true,
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
