import type { SqlNode } from './parse-select.ts';
import { isNode, textOf } from './sql-nodes.ts';

/** A column by the names that say which one it is. */
export interface NamedColumn {
    /** Name or alias of its table, without database and schema. */
    readonly qualifier: string | undefined;
    readonly column: string;
    /** Fields of a struct behind it: the value is that of the last. */
    readonly fields: readonly string[];
}

/** Returns the schema before the name of a table in FROM: `s` for `s.t` and for `db.s.t`. */
export function schemaOf({ schema, db }: SqlNode): string | undefined {
    return textOf(schema) ?? textOf(db);
}

/**
 * Finds the table's name and the column in a column reference. `s.t.a` is a column of `t` if `hasTable` knows a table `t` of a
 * schema `s`, as is `db.s.t.a`; otherwise it is a field `a` in a column `t` of `s`. Undefined for what names no column.
 */
export function namedColumn(node: SqlNode, hasTable: (schema: string, table: string) => boolean): NamedColumn | undefined {
    const path = pathOf(node);
    const [first, second] = path;
    if (first === undefined) return undefined;
    if (second === undefined) return { qualifier: undefined, column: first, fields: [] };
    for (const [i, column] of path.entries()) {
        const [schema, table] = [path[i - 2], path[i - 1]];
        if (schema !== undefined && table !== undefined && hasTable(schema, table))
            return { qualifier: table, column, fields: path.slice(i + 1) };
    }
    return { qualifier: first, column: second, fields: path.slice(2) };
}

/** Returns the names between the dots of a column. The parser nests those of more than three as an operator. */
function pathOf({ schema, table, column }: SqlNode): string[] {
    const path = [schema, table].flatMap(name => textOf(name) ?? []);
    const work = [isNode(column) ? column.expr : column];
    for (let one = work.pop(); one !== undefined; one = work.pop()) {
        if (isNode(one) && one.type === 'binary_expr' && one.operator === '.') work.push(one.right, one.left);
        else path.push(textOf(one) ?? '');
    }
    return path;
}
