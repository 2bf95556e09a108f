import { type Surroundings, surroundings } from '#engine/evaluate/builtins/surroundings.ts';
import { compileCondition, compileExpression } from '#engine/evaluate/expression.ts';
import type { Scope } from '#engine/evaluate/scope.ts';
import type { Report } from '#engine/reports/reports.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { termText } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Aggregate, BinaryOperator, Expression } from '#language/program/program.ts';
import { MIXED, type Type } from '#language/program/types.ts';

const span = { start: 0, end: 1 };

/** Builds expressions by hand, without the reader. */
export const build = {
    integer: (value: number | bigint): Expression => ({ kind: 'integer', value, span }),
    double: (value: number): Expression => ({ kind: 'double', value, span }),
    string: (value: string): Expression => ({ kind: 'string', value, span }),
    boolean: (value: boolean): Expression => ({ kind: 'boolean', value, span }),
    date: (days: number): Expression => ({ kind: 'date', days, span }),
    missing: (): Expression => ({ kind: 'null', span }),
    variable: (name: string): Expression => ({ kind: 'variable', name, span }),
    parameter: (name: string): Expression => ({ kind: 'parameter', name, span }),
    list: (...items: Expression[]): Expression => ({ kind: 'list', items, span }),
    set: (...items: Expression[]): Expression => ({ kind: 'set', items, span }),
    unary: (operator: '-' | '!', operand: Expression): Expression => ({ kind: 'unary', operator, operand, span }),
    binary: (left: Expression, operator: BinaryOperator, right: Expression): Expression => ({
        kind: 'binary',
        operator,
        left,
        right,
        operatorSpan: span,
        span,
    }),
    call: (name: string, ...args: Expression[]): Expression => ({ kind: 'call', name, arguments: args, nameSpan: span, span }),
    aggregate: (name: Aggregate['name']): Expression => ({ kind: 'aggregate', name, arguments: [], nameSpan: span, span }),
};

export interface Value {
    readonly id: ValueId;
    readonly type: Type;
}

/** One dictionary with variables and parameters, in which expressions are evaluated. */
export class ExpressionHarness {
    readonly dictionary = new Dictionary();
    readonly reports: Report[] = [];
    readonly #variables = new Map<string, Value>();
    readonly #parameters = new Map<string, Value>();
    readonly #scope: Scope;

    constructor(around: Surroundings = surroundings({ seed: 1, now: () => 0 })) {
        this.#scope = this.#scopeIn(around);
    }

    #scopeIn = (around: Surroundings): Scope => ({
        dictionary: this.dictionary,
        place: { file: 'test', offset: 0, line: 0, column: 0 },
        slot: name => [...this.#variables.keys()].indexOf(name),
        type: name => this.#variables.get(name)?.type ?? MIXED,
        parameter: name => {
            const parameter = this.#parameters.get(name);
            if (parameter === undefined) throw new Error(`no parameter ${name}`);
            return { value: parameter.id, type: parameter.type };
        },
        report: report => this.reports.push(report),
        surroundings: around,
    });

    variable(name: string, id: ValueId, type: Type = MIXED): Expression {
        this.#variables.set(name, { id, type });
        return build.variable(name);
    }

    parameter(name: string, id: ValueId, type: Type): void {
        this.#parameters.set(name, { id, type });
    }

    value(expression: Expression): ValueId {
        return compileExpression(expression, this.#scope)(this.#registers());
    }

    holds(expression: Expression): boolean {
        return compileCondition(expression, this.#scope)(this.#registers());
    }

    /** The value as a term; numbers show as the type says. */
    text(expression: Expression, type: Type = MIXED): string {
        return termText(this.dictionary, this.value(expression), type, () => 'null');
    }

    get codes(): string[] {
        return this.reports.map(report => report.code);
    }

    #registers(): Int32Array {
        return Int32Array.from([...this.#variables.values()].map(value => value.id));
    }
}
