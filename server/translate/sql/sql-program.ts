import { printString } from '#language/program/print-constant.ts';
import { parseSelect, type SqlNode } from '#language/sql/parse-select.ts';
import { isNode } from '#language/sql/sql-nodes.ts';
import { type SqlPiece, sqlPieces } from '#language/sql/sql-pieces.ts';
import { programInterface } from '#language/tools/program-interface.ts';
import { uniqueName } from '#server/sources/program-names.ts';
import { selectRules } from './select-rules.ts';
import { BeyondRules, beyond, onlyParts } from './sql-tree.ts';
import { fromItems, type KnownTable, tableColumns } from './table-columns.ts';

/** The predicate that has the rows of the query. */
const OUTPUT = 'result';

/**
 * A program whose output `result` has the rows of a query: a SELECT, or a UNION of some, of columns and expressions, with WHERE, inner and left
 * joins, and GROUP BY with the usual aggregates. Undefined for other queries. A query that must know the columns of a table that nobody knows
 * stays as it is, as the body of a rule.
 */
export function sqlProgram(query: string, known: readonly KnownTable[]): string | undefined {
    try {
        const parsed = parseSelect(query);
        const clauses = parsed.ok ? clausesOf(query, selectsOf(parsed.select), known) : beyond('no query');
        const program = [...clauses, `@output(${printString(OUTPUT)}).`].map(clause => `${clause}\n`).join('');
        return programInterface(program).ok ? program : undefined;
    } catch (error) {
        // Conditions nest as deep as they are long.
        if (error instanceof BeyondRules || error instanceof RangeError) return undefined;
        throw error;
    }
}

function clausesOf(query: string, selects: readonly SqlNode[], known: readonly KnownTable[]): string[] {
    // The parser reads escapes that standard strings do not have.
    const isUnclear = ({ kind, text }: SqlPiece): boolean => kind === 'parameter' || (kind === 'string' && !/^'[^\\]*$/u.test(text));
    if (sqlPieces(query).some(isUnclear)) beyond('a parameter or an escape');
    for (const select of selects) {
        onlyParts(select, 'type', 'distinct', 'columns', 'from', 'where', 'groupby', 'having', '_next', 'set_op');
        if (isNode(select.distinct)) onlyParts(select.distinct, 'type');
    }
    const columns = tableColumns(selects, known);
    const all = selects.flatMap(select => fromItems(select, known));
    if (all.some(({ predicate }) => predicate === OUTPUT)) beyond(`a table called ${OUTPUT}`);
    const taken = new Set([OUTPUT, ...all.map(({ predicate }) => predicate)]);
    const context = { known, columns, helper: () => uniqueName(`${OUTPUT}_part`, '_', taken) };
    if (all.some(({ predicate }) => columns.all(predicate) === undefined)) return [embedded(query)];
    return selects.flatMap(select => selectRules(select, OUTPUT, { ...context, isAlone: selects.length === 1 }));
}

/** The SELECTs of a UNION, in order; all have as many columns. */
function selectsOf(select: SqlNode): SqlNode[] {
    const selects = [select];
    for (let one = select; isNode(one._next); one = one._next) {
        if (one.set_op !== 'union' && one.set_op !== 'union all') beyond(String(one.set_op));
        selects.push(one._next);
    }
    return selects;
}

/** A rule with the query as its body: without comments and semicolons, on one line. */
function embedded(query: string): string {
    let body = '';
    let from = 0;
    for (const { kind, text, start } of sqlPieces(query)) {
        body += query.slice(from, start);
        from = start + text.length;
        body += kind === 'comment' ? ' ' : text === ';' ? '' : text;
    }
    return `${OUTPUT}() :- ${body.trim()}.`;
}
