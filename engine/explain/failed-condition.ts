import { variablesOf } from '#language/program/expression-variables.ts';
import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Absence } from './absence.ts';
import type { Cause, Given } from './cause.ts';
import { DISTANCE } from './distances.ts';
import { compileLeniently } from './lenient-expression.ts';
import type { PartialMatcher } from './partial-match.ts';
import { UNBOUND } from './rule-scope.ts';

/** A condition that does not hold, with the values of its variables and by how much it is missed. */
export function conditionCause(absence: Absence, expression: Expression, matcher: PartialMatcher, registers: Int32Array): Cause {
    const sides = numbers(absence, expression, matcher, registers);
    const apart = sides === undefined ? 0 : Math.abs(sides[0] - sides[1]);
    const isStrict = expression.kind === 'binary' && (expression.operator === '<' || expression.operator === '>');
    const off =
        sides === undefined
            ? undefined
            : apart === 0 && isStrict
              ? say`both sides are equal`
              : say`off by ${Number(apart.toPrecision(12))}`;
    const values = givens(absence, expression, matcher, registers);
    return { kind: 'condition', condition: printExpression(expression), values, ...(off === undefined ? {} : { off }) };
}

/** How far numbers of a comparison are apart, as a small part of a distance. */
export function shortness(absence: Absence, expression: Expression, matcher: PartialMatcher, registers: Int32Array): number {
    const sides = numbers(absence, expression, matcher, registers);
    if (sides === undefined) return comparesKinds(absence, expression, matcher, registers) ? DISTANCE.kinds : 0;
    const [left, right] = sides;
    const largest = Math.max(Math.abs(left), Math.abs(right));
    return largest === 0 ? 0 : DISTANCE.shortness * Math.min(1, Math.abs(left - right) / largest);
}

function comparesKinds(absence: Absence, expression: Expression, { scope }: PartialMatcher, registers: Int32Array): boolean {
    if (expression.kind !== 'binary' || !['<', '<=', '>', '>='].includes(expression.operator)) return false;
    const { dictionary } = absence.database;
    const [left, right] = [expression.left, expression.right].map(side => dictionary.kind(compileLeniently(side, scope)(registers)));
    return left !== right;
}

function numbers(absence: Absence, expression: Expression, { scope }: PartialMatcher, registers: Int32Array): [number, number] | undefined {
    if (expression.kind !== 'binary' || !['<', '<=', '>', '>=', '==', '='].includes(expression.operator)) return undefined;
    const { dictionary } = absence.database;
    const [left, right] = [expression.left, expression.right].map(side => compileLeniently(side, scope)(registers));
    if (left === undefined || right === undefined || !dictionary.isNumber(left) || !dictionary.isNumber(right)) return undefined;
    return [dictionary.numberOf(left), dictionary.numberOf(right)];
}

/** The variables of an expression that have a value. */
export function givens(absence: Absence, expression: Expression, matcher: PartialMatcher, registers: Int32Array): Given[] {
    return valuesOf(absence, variablesOf(expression), matcher, registers);
}

/** The values of those variables that have one. */
export function valuesOf(absence: Absence, variables: readonly string[], { scope }: PartialMatcher, registers: Int32Array): Given[] {
    return [...new Set(variables)].flatMap(name => {
        const value = registers[scope.slot(name)] ?? UNBOUND;
        return value === UNBOUND ? [] : [{ name, value: absence.words.term(value) }];
    });
}
