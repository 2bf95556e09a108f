import type { Type } from '#language/program/types.ts';

/** A column of what a FROM list offers. */
export interface SourceColumn {
    readonly name: string | undefined;
    readonly position?: string;
    readonly type: Type;
}

export interface Columns {
    /** Undefined if unknown: the source may then have any column. */
    readonly columns: readonly SourceColumn[] | undefined;
    /** The first column of each name, and of each position that no column has as its name. */
    readonly byName: ReadonlyMap<string, SourceColumn>;
}

/** A source in a FROM list, under the name that it exposes. */
export interface Source extends Columns {
    readonly exposed: string;
    /** The schema before the table's name, for a table without an alias. */
    readonly schema?: string;
    /** Columns that USING or NATURAL joins with those of the same names before. */
    readonly merged: ReadonlySet<string>;
}

/** The sources of a FROM list so far; names are in lower case. */
export class FromSources {
    readonly all: Source[] = [];
    readonly #byExposed = new Map<string, Source>();
    /** By the names of columns that some source has: the first that is not merged, and how many there are. */
    readonly #columns = new Map<string, { first: SourceColumn | undefined; count: number }>();
    #hasUnknown = false;

    add(source: Source): void {
        const { exposed, columns, byName, merged } = source;
        this.all.push(source);
        if (!this.#byExposed.has(exposed)) this.#byExposed.set(exposed, source);
        this.#hasUnknown ||= columns === undefined;
        for (const [name, column] of byName) {
            const known = this.#columns.get(name) ?? { first: undefined, count: 0 };
            this.#columns.set(name, known);
            if (merged.has(name)) continue;
            known.first ??= column;
            known.count++;
        }
    }

    hasTable(schema: string, table: string): boolean {
        return this.all.some(source => source.exposed === table && source.schema === schema);
    }

    hasColumn(name: string): boolean {
        return this.#columns.has(name);
    }

    /** A column without a qualifier; undefined where only what is around the query can tell. */
    column(name: string, aliases: ReadonlyMap<string, Type>): SourceColumn | 'any' | 'ambiguous' | undefined {
        const { first, count } = this.#columns.get(name) ?? { first: undefined, count: 0 };
        if (first !== undefined && count === 1) return first;
        const alias = aliases.get(name);
        if (alias !== undefined) return { name, type: alias };
        if (count > 1) return 'ambiguous';
        // The name of a table alone is its whole row.
        return this.#hasUnknown || this.#byExposed.has(name) ? 'any' : undefined;
    }

    columnBehindDot(qualifier: string, name: string): SourceColumn | 'any' | 'unknown' | undefined {
        const source = this.#byExposed.get(qualifier);
        if (source !== undefined) return source.columns === undefined ? 'any' : (source.byName.get(name) ?? 'unknown');
        // A field of a column that is a struct.
        return this.#hasUnknown || this.#columns.has(qualifier) ? 'any' : undefined;
    }
}
