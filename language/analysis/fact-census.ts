import { typeOfConstant } from '#language/library/expression-type.ts';
import type { Expression, Fact } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import type { Type } from '#language/program/types.ts';

/** What one column of the facts holds. */
interface ColumnCensus {
    /** The types of its constants, and how many have each. */
    readonly constants: Map<Type, number>;
    /** What is no constant, such as a list. */
    readonly composed: Set<Expression>;
    /** How many of its terms may make a null. */
    nulls: number;
}

/** What the facts of a predicate hold, column by column; a fact that comes or goes costs nothing for the others. */
export class FactCensus {
    readonly #columns: ColumnCensus[] = [];

    count({ atom }: Fact, step: 1 | -1): void {
        for (const [i, term] of atom.arguments.entries()) {
            const column = this.#column(i);
            const { constants, composed } = column;
            if (holdsCallOrNull(term)) column.nulls += step;
            const type = typeIfConstant(term);
            if (type === undefined) {
                if (step > 0) composed.add(term);
                else composed.delete(term);
                continue;
            }
            const count = (constants.get(type) ?? 0) + step;
            if (count === 0) constants.delete(type);
            else constants.set(type, count);
        }
    }

    holdsNull(index: number): boolean {
        return this.#column(index).nulls > 0;
    }

    column(index: number): { readonly constants: Iterable<Type>; readonly composed: Iterable<Expression> } {
        const { constants, composed } = this.#column(index);
        return { constants: constants.keys(), composed };
    }

    #column(index: number): ColumnCensus {
        let column = this.#columns[index];
        if (column === undefined) {
            column = { constants: new Map(), composed: new Set(), nulls: 0 };
            this.#columns[index] = column;
        }
        return column;
    }
}

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
