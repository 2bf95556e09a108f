import { expect } from 'vitest';
import { splitArguments } from '#engine/explain/chase-graph.ts';
import type { FactNode, PremiseNode } from '#engine/explain/explanation.ts';
import type { AnalysedRule } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';

/** An equality of an explanation, from its text alone: `z1 = 4711`. */
export interface Equation {
    readonly left: string;
    readonly right: string;
}

export function equationOf(premise: PremiseNode): Equation | undefined {
    if (premise.kind !== 'fact' || !premise.asMatched) return undefined;
    const [, left, right] = /^(z\d+|"(?:[^"]|"")*"|[^\s("]+) = (.+)$/u.exec(premise.fact) ?? [];
    return left === undefined || right === undefined ? undefined : { left, right };
}

/** The stated facts match the body of the equality head, and its two sides are those of the equation. */
export function checkEquality(rule: AnalysedRule, facts: readonly PremiseNode[], equation: Equation | undefined): void {
    const { head } = rule.rule;
    const atoms = rule.literals.filter(({ negated }) => !negated).map(({ atom }) => atom);
    expect(facts.length, `an equality by ${rule.index} states a fact for each atom`).toBe(atoms.length);
    const values = new Map<string, string>();
    for (const [i, { predicate, arguments: terms }] of atoms.entries()) {
        const { fact } = facts[i] as FactNode;
        expect(fact.slice(0, fact.indexOf('('))).toBe(predicate);
        for (const [column, text] of splitArguments(fact).entries()) {
            const term = terms[column];
            if (term?.kind !== 'variable') continue;
            const known = values.get(term.name) ?? plain(text);
            values.set(term.name, known);
            expect(plain(text), `${term.name} in ${fact}`).toBe(known);
        }
    }
    if (head.kind !== 'equality' || equation === undefined) return;
    const sides = [head.left, head.right].flatMap(side => textIn(values, side) ?? []);
    for (const side of sides) expect([plain(equation.left), plain(equation.right)]).toContain(side);
}

function textIn(values: ReadonlyMap<string, string>, side: Expression): string | undefined {
    return side.kind === 'variable' ? values.get(side.name) : undefined;
}

/** A number in another type of column is the same number. */
function plain(text: string): string {
    return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/iu.test(text) ? String(Number(text)) : text;
}

/** Whether stated equalities make a null of this value, by union-find over their texts. */
export function isMadeOfNull(value: string, equations: readonly Equation[]): boolean {
    const parent = new Map<string, string>();
    const find = (one: string): string => {
        const above = parent.get(one) ?? one;
        return above === one ? one : find(above);
    };
    for (const { left, right } of equations) parent.set(find(plain(left)), find(plain(right)));
    const root = find(plain(value));
    return [...new Set(equations.flatMap(({ left, right }) => [plain(left), plain(right)]))].some(
        one => /^z\d+$/u.test(one) && one !== plain(value) && find(one) === root,
    );
}
