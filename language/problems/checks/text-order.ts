import type { ProgramFacts } from '#language/analysis/declarations.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { querySchemaOf } from '#language/analysis/queries.ts';
import type { ColumnTypes } from '#language/analysis/rule-types.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import { type PostDirective, predicateKey } from '#language/program/analysed-program.ts';
import { isTimePattern, timePattern } from '#language/program/day-patterns.ts';
import { spanInSql, sqlOf } from '#language/program/embedded-sql.ts';
import { commonReading, isAmount, misorderedColumn, mixedColumn, patternsOf, readingOf, signOf } from '#language/program/ordered-texts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate, Call, Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { isNumeric, type Type, UNKNOWN } from '#language/program/types.ts';
import { problem, suggesting, withRemedy } from '../catalogue.ts';

/** Texts of numbers or days whose order matters in a query: RL4023, RL4025 to RL4027. */
export function* checkQueryOrder({ rule, place, query }: RuleFacts, columns: ColumnTypes): Iterable<Problem> {
    const sql = sqlOf(rule);
    if (query === undefined || sql === undefined) return;
    for (const { type, start, end } of querySchemaOf(query, key => columns.get(key)).textOrders)
        yield* checkOrder(type, place, spanInSql(sql, { start, end }));
}

/** The place of expressions, and their types. */
export interface Typed {
    readonly place: ClausePlace;
    readonly typeOf: (expression: Expression) => Type;
}

/** Texts of numbers or days of which an aggregate takes the greatest or the least: RL4023, RL4025 to RL4027. */
export function* checkTextChoice({ name, arguments: [argument] }: Aggregate, { place, typeOf }: Typed): Iterable<Problem> {
    const { domain, chooses } = AGGREGATES[name];
    if (argument === undefined || domain !== 'values' || chooses !== 'one') return;
    yield* checkOrder(typeOf(argument), place, argument.span);
}

/** Texts of numbers or days that are compared with each other, or with a text that is one: RL4023, RL4025 to RL4027. */
export function* checkTextComparison({ left, right }: Binary, { place, typeOf }: Typed): Iterable<Problem> {
    const operands = [left, right];
    if (commonReading(operands.map(operand => (operand.kind === 'string' ? operand.value : typeOf(operand)))) === undefined) return;
    const found = operands.find(operand => misorderedColumn(typeOf(operand)) !== undefined);
    if (found !== undefined) yield* checkOrder(typeOf(found), place, found.span);
}

type Binary = Extract<Expression, { kind: 'binary' }>;

/** Empty texts that are asked whether they are unknown: RL4024. */
export function* checkNullTest({ name, arguments: [argument] }: Call, { place, typeOf }: Typed): Iterable<Problem> {
    const type = argument && typeOf(argument);
    if (!NULL_TESTS.has(name) || argument === undefined || type?.kind !== 'string' || type.empty === undefined) return;
    const { name: column, predicate, evidence } = type.empty;
    const found = problem('RL4024', place, argument.span, column, predicate, ...evidence);
    yield suggesting(found, { kind: 'write', text: "nullString=''" }, say`write nullString='' in the bind`);
}

const NULL_TESTS: ReadonlySet<string> = new Set(['is_null', 'is_not_null']);

/** The problem at a place where values of a type have to be the same or in order, and numbers stand beside texts: RL4026. */
export function* checkMixedNumbers(type: Type, place: ClausePlace, span: Span): Iterable<Problem> {
    const column = mixedColumn(type);
    if (column === undefined) return;
    const { name, predicate, evidence, model } = column;
    const found = problem('RL4026', place, span, name, predicate, ...evidence, model.text, model.needsNulls);
    yield suggesting(found, { kind: 'write', text: `${model.text}.` });
}

/** Texts of numbers that are joined with numbers, or with each other, by the sign of sums: RL4028. */
export function* checkJoinedNumbers({ left, right, span }: Binary, { place, typeOf }: Typed): Iterable<Problem> {
    const types = [typeOf(left), typeOf(right)];
    if (!types.every(type => isNumeric(type) || readingOf(type) === 'number')) return;
    for (const type of types) {
        if (type.kind !== 'string' || type.numbers === undefined) continue;
        const { name, predicate, evidence, model } = type.numbers;
        const [number, text] = evidence;
        const found = problem('RL4028', place, span, name, predicate, text, number, model.text, model.needsNulls);
        yield suggesting(found, { kind: 'write', text: `${model.text}.` });
        return;
    }
}

/** The problem at a place where the order of texts of a type matters. */
function* checkOrder(type: Type, place: ClausePlace, span: Span): Iterable<Problem> {
    yield* checkMixedNumbers(type, place, span);
    const column = misorderedColumn(type);
    const reading = readingOf(type);
    if (column === undefined || reading === undefined) return;
    const { name, predicate, evidence, model, forms } = column;
    if (reading === 'number' && forms !== undefined) {
        const options = forms.map(({ decimal, thousands }) => [
            ...(thousands === undefined || decimal !== '.' ? [`decimal='${decimal}'`] : []),
            ...(thousands === undefined ? [] : [`thousands='${thousands}'`]),
        ]);
        const found = problem('RL4023', place, span, name, predicate, ...evidence);
        yield withRemedy(found, say`write ${options.map(parts => parts.join(', ')).join(say` or `)} in the bind, and '${model.text}.'`);
    } else if (reading === 'number') {
        const found = problem('RL4023', place, span, name, predicate, ...evidence, model.text, model.needsNulls);
        yield suggesting(found, { kind: 'write', text: `${model.text}.` });
    } else if (isAmount(reading)) {
        const found = problem('RL4023', place, span, name, predicate, ...evidence);
        yield withRemedy(found, say`compare as_double(replace(…, "${signOf(reading)}", ""))`);
    } else if (reading === 'days') {
        yield problem('RL4027', place, span, name, predicate, ...evidence);
    } else {
        const [pattern = '', another] = patternsOf(reading);
        const found = problem('RL4025', place, span, name, predicate, ...evidence);
        const time = timePattern(evidence[0]);
        const moment = (form: string): string => `date:to_timestamp(…, "${form}${time}")`;
        const date = (form: string): string => (time === '' && !isTimePattern(form) ? `as_date(${moment(form)})` : moment(form));
        yield withRemedy(
            found,
            another === undefined ? say`compare ${date(pattern)}` : say`compare ${date(pattern)}, or with "${another}${time}"`,
        );
    }
}

/** Texts of numbers or days by which outputs are chosen or sorted: RL4023, RL4025 to RL4027. */
export function* checkPostOrder({ posts, nameFacts }: Pick<ProgramFacts, 'posts' | 'nameFacts'>, columns: ColumnTypes): Iterable<Problem> {
    for (const { predicate, place, argument, annotation, text } of posts) {
        const [arity, another] = nameFacts(predicate)?.arities ?? [];
        const types = arity === undefined || another !== undefined ? undefined : columns.get(predicateKey(predicate, arity));
        for (const at of orderedColumns(text.directive))
            yield* checkOrder(types?.[at] ?? UNKNOWN, place, (annotation.arguments[1] ?? argument).span);
    }
}

/** Zero-based. */
function orderedColumns(directive: PostDirective | undefined): readonly number[] {
    switch (directive?.kind) {
        case 'min':
        case 'max':
            return directive.columns;
        case 'argmin':
        case 'argmax':
            return [directive.column];
        case 'orderby':
            return directive.keys.map(({ column }) => column);
        default:
            return [];
    }
}

const ABOUT_COLUMNS: ReadonlySet<string> = new Set(['RL4023', 'RL4025', 'RL4026', 'RL4027', 'RL4028']);

/** Each column once, where its values matter first. */
export function tellColumnsOnce(problems: Problem[]): Problem[] {
    if (!problems.some(({ code }) => ABOUT_COLUMNS.has(code))) return problems;
    const told = new Set<string>();
    return problems.filter(({ code, arguments: about = [] }) => {
        const column = ABOUT_COLUMNS.has(code) ? about.slice(0, 2).join('\n') : undefined;
        if (column === undefined) return true;
        const isNew = !told.has(column);
        told.add(column);
        return isNew;
    });
}
