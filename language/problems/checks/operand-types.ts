import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { calendarDate } from '#language/library/calendar-date.ts';
import { type ComparisonClass, comparisonClass } from '#language/library/comparison-class.ts';
import { type TypeEnvironment, typesIn } from '#language/library/expression-type.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { parameterAt } from '#language/library/function-entry.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import { printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate, Call, Expression } from '#language/program/program.ts';
import { say, translated } from '#language/program/say.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { printType, type Type } from '#language/program/types.ts';
import { PROBLEMS, problem, suggesting, withCast, withForm, withMeant, withRemedy, withWritten } from '../catalogue.ts';
import { constantType, expectedOf } from './constant-arguments.ts';
import { checkJoinedNumbers, checkNullTest, checkTextChoice, checkTextComparison, type Typed } from './text-order.ts';

/**
 * Operators, conditions and calls whose operands have types for which they mean nothing: RL4001 to RL4005, RL4015, RL4023 to RL4028, RL5003, RL5009, RL8004.
 * Nothing is said where a type is unknown or mixed.
 */
export function* checkOperandTypes(facts: RuleFacts, environment: TypeEnvironment): Iterable<Problem> {
    const typed: Typed = { place: facts.place, typeOf: typesIn(environment) };
    const parts = new Set<Expression>();
    for (const { expression } of facts.expressions) visitExpression(expression, part => parts.add(part));
    const numbers = conditionsEndingInIntegers(facts);
    for (const { expression } of facts.resolved.conditions) {
        const grouped = thousands(expression, numbers, facts.place);
        if (grouped === undefined) yield* truth(expression, typed);
        else yield grouped;
        parts.add(expression);
    }
    for (const part of parts) {
        if (part.kind === 'unary') yield* negation(part, typed);
        if (part.kind === 'binary') yield* operation(part, typed);
        if (part.kind === 'aggregate') {
            yield* numericAggregate(part, typed);
            yield* checkTextChoice(part, typed);
        }
        if (part.kind === 'call') {
            yield* argumentTypes(part, typed, environment);
            yield* checkNullTest(part, typed);
        }
    }
}

type Integer = Extract<Expression, { kind: 'integer' }>;

/**
 * Finds integers at the end of a rule's conditions, by their end offsets. Empty if no condition is an integer, since only those need them.
 */
function conditionsEndingInIntegers({ rule, resolved }: RuleFacts): ReadonlyMap<number, Integer> {
    const found = new Map<number, Integer>();
    if (rule.body.kind !== 'items' || !resolved.conditions.some(({ expression }) => expression.kind === 'integer')) return found;
    for (const item of rule.body.items) {
        if (item.kind !== 'expression') continue;
        const last = item.expression.kind === 'binary' ? item.expression.right : item.expression;
        if (last.kind === 'integer') found.set(item.span.end, last);
    }
    return found;
}

/** `> 1,000` and `> 3,5`: a condition of digits directly behind a number and a comma. */
function thousands(expression: Expression, numbers: ReadonlyMap<number, Integer>, place: ClausePlace): Problem | undefined {
    const { start, end } = expression.span;
    const last = numbers.get(start - 1);
    if (expression.kind !== 'integer' || last === undefined || expression.value < 0n) return undefined;
    const digits = String(expression.value).padStart(end - start, '0');
    const found = problem('RL4004', place, { start: last.span.start, end }, 'int');
    if (digits.length === 3) return withWritten(found, `${last.value}${digits}`, say`: a comma separates items, not thousands`);
    return withWritten(found, `${last.value}.${digits}`, say`: a comma separates items, a point the digits`);
}

function isOrder(operator: Binary['operator']): boolean {
    return operator !== '=' && operator !== '==' && operator !== '!=';
}

type Binary = Extract<Expression, { kind: 'binary' }>;

function* truth(expression: Expression, { place, typeOf }: Typed): Iterable<Problem> {
    const type = typeOf(expression);
    const found = comparisonClass(type);
    if (found !== undefined && found !== 'boolean') yield problem('RL4004', place, expression.span, printType(type));
}

function* negation({ operator, operand, span }: Extract<Expression, { kind: 'unary' }>, typed: Typed): Iterable<Problem> {
    if (operator === '!') {
        yield* truth(operand, typed);
        return;
    }
    const type = typed.typeOf(operand);
    const found = comparisonClass(type);
    if (found !== undefined && found !== 'number') yield problem('RL4001', typed.place, span, operator, [printType(type)]);
}

function* operation(expression: Binary, typed: Typed): Iterable<Problem> {
    const { operator, left, right, operatorSpan } = expression;
    const { place, typeOf } = typed;
    const types = [typeOf(left), typeOf(right)] as const;
    const [a, b] = [comparisonClass(types[0]), comparisonClass(types[1])];
    switch (operator) {
        case '&&':
        case '||':
            if (joinsTexts(expression, typeOf)) {
                yield* joinedTexts(expression, typed);
                return;
            }
            yield* truth(left, typed);
            yield* truth(right, typed);
            return;
        case '+':
        case '-':
        case '*':
        case '/':
        case '|':
        case '&':
            if (operator === '+') yield* checkJoinedNumbers(expression, typed);
            if (isDefined(operator, a, b)) return;
            if (operator === '&' && joinsTexts(expression, typeOf)) {
                yield* joinedTexts(expression, typed);
                return;
            }
            yield withOperation(problem('RL4001', place, operatorSpan, operator, types.map(printType)), expression, a, b);
            return;
        case 'in':
        case '!in':
            if (b !== undefined && b !== 'list' && b !== 'set') yield problem('RL4005', place, right.span);
            else yield* membership(expression, typed);
            return;
        case '=':
        case '==':
        case '!=':
        case '<':
        case '<=':
        case '>':
        case '>=':
            if (a === 'string' && b === 'string' && isOrder(operator)) yield* checkTextComparison(expression, typed);
            if (a === undefined || b === undefined || a === b) return;
            if (left.kind === 'parameter') yield problem('RL8004', place, left.span, left.name, ...printed(types));
            else if (right.kind === 'parameter') yield problem('RL8004', place, right.span, right.name, ...printed([types[1], types[0]]));
            else if (isTimeAndText(a, b))
                yield withCast(
                    problem('RL4015', place, (a === 'string' ? left : right).span),
                    'as_date',
                    translated(PROBLEMS.RL4015.remedy),
                );
            else {
                const date = a === 'time' ? slashedDate(right) : slashedDate(left);
                if (date !== undefined) {
                    const { span } = a === 'time' ? right : left;
                    yield withForm(problem('RL4002', place, span, printType(types[0]), printType(types[1]), operator === '!='), date);
                    return;
                }
                const found = problem('RL4002', place, expression.span, printType(types[0]), printType(types[1]), operator === '!=');
                yield isTextAndNumber(a, b) ? withCast(found, 'as_double', say`cast the text: as_double(…)`) : found;
            }
            return;
    }
}

/** A value that is looked for among values of another class. */
function* membership({ operator, left, right, span }: Binary, { place, typeOf }: Typed): Iterable<Problem> {
    const [value, items] = [typeOf(left), typeOf(right)];
    if (items.kind !== 'list' && items.kind !== 'set') return;
    const [a, b] = [comparisonClass(value), comparisonClass(items.element)];
    if (a === undefined || b === undefined || a === b) return;
    const found = problem('RL4002', place, span, printType(value), printType(items.element), operator === '!in');
    yield isTextAndNumber(a, b) ? withCast(found, 'as_double', say`cast the text: as_double(…)`) : found;
}

/** One problem for all signs that join texts. */
function* joinedTexts({ operator, operatorSpan, left, right }: Binary, { place, typeOf }: Typed): Iterable<Problem> {
    if (left.kind === 'binary' && joinsTexts(left, typeOf)) return;
    const found = problem(
        'RL4001',
        place,
        operatorSpan,
        operator,
        [left, right].map(side => printType(typeOf(side))),
    );
    yield withWritten(found, '+', say` to join texts`);
}

/** `||` joins texts in SQL, `&` in spreadsheets. */
function joinsTexts({ operator, left, right }: Binary, typeOf: Typed['typeOf']): boolean {
    if (operator !== '||' && operator !== '&') return false;
    const text = [left, right].some(operand => comparisonClass(typeOf(operand)) === 'string');
    return text || (left.kind === 'binary' && joinsTexts(left, typeOf));
}

/** `01/02/2024`, which divides. */
function slashedDate(expression: Expression): string | undefined {
    if (expression.kind !== 'binary' || expression.operator !== '/' || expression.right.kind !== 'integer') return undefined;
    const { left, right } = expression;
    if (left.kind !== 'binary' || left.operator !== '/' || left.left.kind !== 'integer' || left.right.kind !== 'integer') return undefined;
    return right.value < 1000n ? undefined : calendarDate(String(left.left.value), String(left.right.value), String(right.value));
}

function printed([own, used]: readonly [Type, Type]): [string, string] {
    return [printType(own), printType(used)];
}

function isTextAndNumber(a: ComparisonClass, b: ComparisonClass): boolean {
    return (a === 'number' && b === 'string') || (a === 'string' && b === 'number');
}

function isTimeAndText(a: ComparisonClass, b: ComparisonClass): boolean {
    return (a === 'time' && b === 'string') || (a === 'string' && b === 'time');
}

/** Whether an operator means something for values of two classes (3.2, 3.3, 3.6), as far as they are known. */
function isDefined(operator: '+' | '-' | '*' | '/' | '|' | '&', a: ComparisonClass | undefined, b: ComparisonClass | undefined): boolean {
    const isCollection = (operand: ComparisonClass | undefined): boolean =>
        operand === undefined || operand === 'list' || operand === 'set';
    switch (operator) {
        case '+':
            if (a === undefined || b === undefined || (a === 'number' && b === 'number')) return true;
            return [a, b].some(operand => operand === 'string' || operand === 'list');
        case '|':
            return isCollection(a);
        case '&':
            return isCollection(a) && isCollection(b);
        default:
            return [a, b].every(operand => operand === undefined || operand === 'number');
    }
}

/** Adds the likely meaning of an operator that does not apply to its operands. */
function withOperation(found: Problem, expression: Binary, a: ComparisonClass | undefined, b: ComparisonClass | undefined): Problem {
    const { operator, left, right, span } = expression;
    if (operator === '&' || operator === '|') {
        if (a === 'boolean' && b === 'boolean') return withWritten(found, operator.repeat(2));
        return operator === '|' && (b === 'list' || b === 'set') ? suggesting(found, { kind: 'swap' }) : found;
    }
    if (a === 'string' || b === 'string') return withCast(found, 'as_double');
    const [first, second] = [left, right].map(printExpression);
    if (a !== 'time') return found;
    if (b === 'time' && operator === '-') return withRemedy(found, say`write date:between(${second}, ${first}, "day")`);
    if (b === 'number' && operator === '+') return withRemedy(found, say`write date:plus(${first}, ${second}, "day")`);
    if (b !== 'number' || operator !== '-') return found;
    return withRemedy(found, say`write date:plus(${first}, ${printExpression({ kind: 'unary', operator, operand: right, span })}, "day")`);
}

function* numericAggregate({ name, arguments: [argument] }: Aggregate, { place, typeOf }: Typed): Iterable<Problem> {
    if (argument === undefined || AGGREGATES[name].domain !== 'numbers') return;
    const type = typeOf(argument);
    const found = comparisonClass(type);
    if (found === undefined || found === 'number') return;
    const what = argument.kind === 'variable' ? `'${argument.name}'` : 'this';
    const told = problem('RL4003', place, argument.span, name, what, printType(type));
    const isMany = found === 'list' || found === 'set';
    const each = say`write 'Item = collections:explode(${printExpression(argument)})' in a rule before, and ${name}(Item)`;
    yield isMany ? withRemedy(told, each) : withCast(told, 'as_double');
}

function* unknownField({ arguments: [field, struct] }: Call, { place, typeOf }: Typed): Iterable<Problem> {
    const type = struct && typeOf(struct);
    if (field?.kind !== 'string' || type?.kind !== 'struct' || type.fields === undefined) return;
    const names = type.fields.map(({ name }) => name);
    if (names.includes(field.value)) return;
    yield withMeant(problem('RL5009', place, field.span, field.value), nearestName(field.value, names));
}

/** Checks arguments other than constants, which are checked without types. */
function* argumentTypes(call: Call, { place, typeOf }: Typed, { prefixes }: TypeEnvironment): Iterable<Problem> {
    const entry = functionNamed(call.name, prefixes);
    if (entry === undefined) return;
    if (entry.name === 'struct:get') yield* unknownField(call, { place, typeOf });
    for (const [i, argument] of call.arguments.entries()) {
        const parameter = parameterAt(entry, i, call.arguments.length);
        if (parameter === undefined || constantType(argument) !== undefined) continue;
        const found = comparisonClass(typeOf(argument));
        const expected = expectedOf(parameter.kind);
        if (found === undefined || expected.classes === undefined || expected.classes.includes(found)) continue;
        const misfit = problem('RL5003', place, argument.span, i + 1, call.name, expected.words);
        yield withCast(misfit, expected.cast);
    }
}
