import { variableNames } from '#language/program/variable-names.ts';
import type { OrderedRule } from '../plan/plan.ts';

/** The registers of a rule: its variables, then the row number of each literal where contributors need it, then the positions of exploded elements. */
export class Registers {
    readonly values: Int32Array;
    readonly #slots = new Map<string, number>();
    readonly #literals: number;
    readonly #exploded: readonly string[];

    constructor(variant: OrderedRule) {
        const { literals, constants, assignments, inventions } = variant.rule;
        const names = [
            ...constants.map(constant => constant.variable),
            ...literals.flatMap(literal => variableNames(literal.terms)),
            ...assignments.map(assignment => assignment.variable),
            ...inventions.map(invention => invention.variable),
        ];
        for (const name of names) if (!this.#slots.has(name)) this.#slots.set(name, this.#slots.size);
        this.#literals = literals.length;
        this.#exploded = assignments.filter(assignment => assignment.exploded).map(assignment => assignment.variable);
        this.values = new Int32Array(this.#slots.size + literals.length + this.#exploded.length);
    }

    slot(variable: string): number {
        const slot = this.#slots.get(variable);
        if (slot === undefined) throw new Error(`Variable ${variable} has no register`);
        return slot;
    }

    has(variable: string): boolean {
        return this.#slots.has(variable);
    }

    rowOf(literal: number): number {
        return this.#slots.size + literal;
    }

    /** Returns the register for the position of the element that an exploded variable holds. */
    positionOf(variable: string): number {
        return this.#slots.size + this.#literals + this.#exploded.indexOf(variable);
    }

    /** The rows of these literals and the positions of exploded elements: what tells one match from another. */
    identity(literals: readonly number[]): number[] {
        return [...literals.map(literal => this.rowOf(literal)), ...this.#exploded.map(variable => this.positionOf(variable))];
    }
}
