import { typeOfConstant } from '#language/library/expression-type.ts';
import type { Expression, Fact } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import type { Type } from '#language/program/types.ts';

/** The values of one column of the facts. */
interface ColumnCensus {
    /** The types of its constants, and how many have each. */
    readonly constants: Map<Type, number>;
    /** Values that are not constants, such as lists; absent before the first. */
    composed: Set<Expression> | undefined;
    /** How many of its terms may make a null. */
    nulls: number;
}

/** Counts the values in the facts of a predicate, column by column. A fact that comes or goes costs nothing for the others. */
export class FactCensus {
    readonly #columns: ColumnCensus[] = [];

    count({ atom }: Fact, step: 1 | -1): void {
        for (const [i, term] of atom.arguments.entries()) {
            const column = this.#column(i);
            const { constants } = column;
            const type = typeIfConstant(term);
            if ((type === undefined || term.kind === 'null') && holdsCallOrNull(term)) column.nulls += step;
            if (type === undefined) {
                column.composed ??= new Set();
                if (step > 0) column.composed.add(term);
                else column.composed.delete(term);
                continue;
            }
            const count = (constants.get(type) ?? 0) + step;
            if (count === 0) constants.delete(type);
            else constants.set(type, count);
        }
    }

    holdsNull(index: number): boolean {
        return (this.#columns[index]?.nulls ?? 0) > 0;
    }

    column(index: number): { readonly constants: Iterable<Type>; readonly composed: Iterable<Expression> } {
        const column = this.#columns[index];
        return { constants: column?.constants.keys() ?? NOTHING, composed: column?.composed ?? NOTHING };
    }

    #column(index: number): ColumnCensus {
        let column = this.#columns[index];
        if (column === undefined) {
            column = { constants: new Map(), composed: undefined, nulls: 0 };
            this.#columns[index] = column;
        }
        return column;
    }
}

const NOTHING: readonly never[] = [];

export function holdsCallOrNull(expression: Expression): boolean {
    let found = false;
    visitExpression(expression, part => {
        found ||= part.kind === 'call' || part.kind === 'null';
    });
    return found;
}

function typeIfConstant(term: Expression): Type | undefined {
    switch (term.kind) {
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
        case 'date':
        case 'timestamp':
        case 'null':
            return typeOfConstant(term);
        default:
            return undefined;
    }
}
