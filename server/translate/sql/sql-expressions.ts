import { parseDate, parseTimestamp } from '#engine/values/calendar.ts';
import { printConstant, printString } from '#language/program/print-constant.ts';
import { say } from '#language/program/say.ts';
import type { SqlNode } from '#language/sql/parse-select.ts';
import { isNode } from '#language/sql/sql-nodes.ts';
import { isBetweenNulls, mayBeNull } from './sql-nulls.ts';
import { alternativesOf, beyond, functionName, nodeOf, nodesOf, onlyParts } from './sql-tree.ts';

/** Names of columns and aggregates in the rule. */
export interface ExpressionNames {
    column(node: SqlNode): string;
    aggregate(node: SqlNode): string;
    /** A variable that has the value of an operand, as the keys of groups have one. */
    named?(node: SqlNode): string | undefined;
    /** Whether a column or an aggregate may be NULL. */
    isNullable(node: SqlNode): boolean;
}

const NOWHERE = { start: 0, end: 0 };
const OPERATORS = new Set(['+', '-', '*', '/']);
const COMPARISONS = new Map([
    ['=', '=='],
    ['<>', '!='],
    ['!=', '!='],
    ['<', '<'],
    ['<=', '<='],
    ['>', '>'],
    ['>=', '>='],
]);
const OPPOSITES = new Map([
    ['=', '<>'],
    ['<>', '='],
    ['!=', '='],
    ['<', '>='],
    ['<=', '>'],
    ['>', '<='],
    ['>=', '<'],
    ['IS', 'IS NOT'],
    ['IS NOT', 'IS'],
    ['IS DISTINCT FROM', 'IS NOT DISTINCT FROM'],
    ['IS NOT DISTINCT FROM', 'IS DISTINCT FROM'],
    ['IN', 'NOT IN'],
    ['NOT IN', 'IN'],
    ['LIKE', 'NOT LIKE'],
    ['NOT LIKE', 'LIKE'],
    ['BETWEEN', 'NOT BETWEEN'],
    ['NOT BETWEEN', 'BETWEEN'],
]);
/** Functions of SQL that have one here with the same arguments. */
const FUNCTIONS = new Map([
    ['upper', 'to_upper'],
    ['lower', 'to_lower'],
    ['length', 'string_length'],
    ['trim', 'strip'],
    ['abs', 'math:abs'],
    ['round', 'math:round'],
    ['concat', 'concat'],
    ['replace', 'replace'],
    ['substr', 'substring'],
    ['substring', 'substring'],
    ['coalesce', 'nullManagement:coalesce'],
]);

/** A value as an expression of the language. */
export function expressionOf(node: SqlNode, names: ExpressionNames): string {
    switch (node.type) {
        case 'column_ref':
            return names.column(node);
        case 'aggr_func':
            return names.aggregate(node);
        case 'binary_expr':
            return operation(node, names);
        case 'unary_expr': {
            onlyParts(node, 'type', 'operator', 'expr', 'parentheses');
            if (node.operator !== '-') beyond(say`an operator`);
            return `-${inner(nodeOf(node.expr), names)}`;
        }
        case 'function':
            return isNode(node.over) ? beyond(say`window functions`) : call(node, names);
        case 'window_func':
            return beyond(say`window functions`);
        case 'case':
            return beyond('CASE');
        default:
            return constantOf(node);
    }
}

function operation(node: SqlNode, names: ExpressionNames): string {
    onlyParts(node, 'type', 'operator', 'left', 'right', 'parentheses');
    const [left, right] = [nodeOf(node.left), nodeOf(node.right)];
    const operator = String(node.operator);
    if (operator === '%') return `math:mod(${expressionOf(left, names)}, ${expressionOf(right, names)})`;
    if (operator === '||') return `concat(${expressionOf(left, names)}, ${expressionOf(right, names)})`;
    if (!OPERATORS.has(operator)) beyond(operator);
    return `${inner(left, names)} ${operator} ${inner(right, names)}`;
}

/** An operand: operations stand in parentheses. */
function inner(node: SqlNode, names: ExpressionNames): string {
    const text = expressionOf(node, names);
    return /^(?:[\w:]+|"[^"]*"|[\w:]+\([^()]*\))$/u.test(text) ? text : `(${text})`;
}

function call(node: SqlNode, names: ExpressionNames): string {
    onlyParts(node, 'type', 'name', 'args', 'parentheses');
    const name = FUNCTIONS.get(functionName(node));
    if (name === undefined) return beyond(say`a function`);
    const args = nodesOf(nodeOf(node.args).value);
    const texts = args.map(arg => expressionOf(arg, names));
    // That of SQL leaves out what is NULL, other than `||`.
    if (name === 'concat' && args.some(arg => mayBeNull(arg, names.isNullable))) return `concat_ws("", ${texts.join(', ')})`;
    return `${name}(${texts.join(', ')})`;
}

/** A constant; what is none ends the translation. */
export function constantOf(node: SqlNode): string {
    onlyParts(node, 'type', 'value', 'parentheses');
    const { type, value } = node;
    switch (type) {
        case 'number':
        case 'bigint':
            return numberOf(String(value));
        case 'single_quote_string':
            return printString(String(value).replaceAll("''", "'"));
        case 'bool':
            return value === true ? '#T' : '#F';
        case 'null':
            return 'null';
        case 'date': {
            const days = parseDate(String(value));
            return days === undefined ? beyond(say`a date`) : printConstant({ kind: 'date', days, span: NOWHERE });
        }
        case 'timestamp': {
            const micros = parseTimestamp(String(value));
            return micros === undefined ? beyond(say`a moment`) : printConstant({ kind: 'timestamp', micros, span: NOWHERE });
        }
        default:
            return beyond(String(type));
    }
}

function numberOf(text: string): string {
    if (/^-?\d+$/u.test(text)) return BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? text : beyond(say`a long number`);
    const value = Number(text);
    return Number.isFinite(value) ? printConstant({ kind: 'double', value, span: NOWHERE }) : beyond(say`a number`);
}

/** Returns the items of a condition. */
export function conditionsOf(node: SqlNode, names: ExpressionNames): string[] {
    const alternatives = alternativesOf(node);
    const [items = []] = alternatives;
    if (alternatives.length > 1) return [booleanText(node, names)];
    if (items.length > 1) return items.flatMap(item => conditionsOf(item, names));
    return items.flatMap(item => oneCondition(item, names, false));
}

/** A condition as one boolean expression. */
function booleanText(node: SqlNode, names: ExpressionNames, isNegated = false): string {
    const [outer, within] = isNegated ? (['&&', '||'] as const) : (['||', '&&'] as const);
    const alternatives = alternativesOf(node);
    const [[only, ...more] = []] = alternatives;
    if (only !== undefined && more.length === 0 && alternatives.length === 1) return joined(oneCondition(only, names, isNegated), '&&');
    return joined(
        alternatives.map(items =>
            joined(
                items.map(item => booleanText(item, names, isNegated)),
                within,
            ),
        ),
        outer,
    );
}

function joined(texts: readonly string[], operator: '&&' | '||'): string {
    return texts.length === 1 ? texts.join('') : `(${texts.join(` ${operator} `)})`;
}

function isNegation(node: SqlNode): boolean {
    return node.type === 'unary_expr' ? node.operator === 'NOT' : node.type === 'function' && functionName(node) === 'not';
}

/** The parser takes `NOT (…)` for a call. */
function negated(node: SqlNode): SqlNode {
    if (node.type === 'unary_expr') return nodeOf(node.expr);
    const [argument, ...more] = nodesOf(nodeOf(node.args).value);
    return argument === undefined || more.length > 0 ? beyond(say`a function`) : argument;
}

/** A comparison or a column, as conditions that must all hold. */
function oneCondition(node: SqlNode, names: ExpressionNames, isNegated: boolean): string[] {
    if (isNegation(node)) return [booleanText(negated(node), names, !isNegated)];
    if (node.type === 'bool') return [(node.value === true) === isNegated ? '1 == 0' : '1 == 1'];
    if (node.type === 'column_ref') return [`${names.column(node)} == ${isNegated ? '#F' : '#T'}`];
    if (node.type !== 'binary_expr') return beyond(String(node.type));
    onlyParts(node, 'type', 'operator', 'left', 'right', 'parentheses');
    const written = String(node.operator);
    const operator = isNegated ? OPPOSITES.get(written) : written;
    if (operator === undefined) return beyond(written);
    const [left, right] = [nodeOf(node.left), nodeOf(node.right)];
    const value = (of: SqlNode): string => {
        if (of.type === 'null') return beyond(say`a comparison with NULL`);
        return names.named?.(of) ?? expressionOf(of, names);
    };
    const comparison = COMPARISONS.get(operator);
    if (comparison !== undefined) {
        const [one, other] = [value(left), value(right)];
        const text = `${one} ${comparison} ${other}`;
        if (!isBetweenNulls(node, names.isNullable)) return [text];
        const known = `is_not_null(${left.type === 'column_ref' ? one : other})`;
        return comparison === '==' && one === other ? [known] : [known, text];
    }
    if (operator === 'IS DISTINCT FROM' || operator === 'IS NOT DISTINCT FROM') return [distinction(left, right, operator, names)];
    const subject = value(left);
    const items = (): string[] => {
        const found = nodesOf(right.value).map(item => (item.type === 'null' ? beyond(say`NULL in a list`) : constantOf(item)));
        return right.type === 'expr_list' && found.length > 0 ? found : beyond(say`a list`);
    };
    const bounds = (): string[] => {
        const found = nodesOf(right.value).map(value);
        return found.length === 2 ? found : beyond(say`bounds`);
    };
    switch (operator) {
        case 'IS':
        case 'IS NOT': {
            if (right.type === 'null') return [`${operator === 'IS' ? 'is_null' : 'is_not_null'}(${subject})`];
            return operator === 'IS' && right.type === 'bool' ? [`${subject} == ${constantOf(right)}`] : beyond(operator);
        }
        case 'IN':
            return [`${subject} in [${items().join(', ')}]`];
        case 'NOT IN':
            // Not `!in`, which an unknown value would satisfy.
            return items().map(item => `${subject} != ${item}`);
        case 'BETWEEN':
            return bounds().map((bound, i) => `${subject} ${i === 0 ? '>=' : '<='} ${bound}`);
        case 'NOT BETWEEN':
            return [
                `(${bounds()
                    .map((bound, i) => `${subject} ${i === 0 ? '<' : '>'} ${bound}`)
                    .join(' || ')})`,
            ];
        case 'LIKE':
        case 'NOT LIKE':
            return [likeCondition(subject, right, operator === 'NOT LIKE')];
        default:
            return beyond(operator);
    }
}

/** Compares values of which NULL is one. */
function distinction(left: SqlNode, right: SqlNode, operator: 'IS DISTINCT FROM' | 'IS NOT DISTINCT FROM', names: ExpressionNames): string {
    const isSame = operator === 'IS NOT DISTINCT FROM';
    const known = [left, right].filter(({ type }) => type !== 'null');
    const texts = known.map(of => names.named?.(of) ?? expressionOf(of, names));
    const [one = 'null', other] = texts;
    if (other === undefined) return known.length === 0 ? (isSame ? '1 == 1' : '1 == 0') : `${isSame ? 'is_null' : 'is_not_null'}(${one})`;
    const isNull = texts.flatMap((text, i) =>
        known[i] !== undefined && mayBeNull(known[i], names.isNullable) ? [`is_null(${text})`] : [],
    );
    if (isNull.length < 2) return isSame ? `${one} == ${other}` : joined([...isNull, `${one} != ${other}`], '||');
    return isSame
        ? `(${one} == ${other} || (${isNull.join(' && ')}))`
        : `(${isNull.join(' != ')} || (is_not_null(${one}) && ${one} != ${other}))`;
}

function likeCondition(subject: string, { type, value, escape: escaping, ...more }: SqlNode, isNegated: boolean): string {
    onlyParts(more, 'parentheses');
    const pattern = String(value).replaceAll("''", "'");
    if (type !== 'single_quote_string' || (escaping !== undefined && escaping !== null) || pattern.includes('\\'))
        return beyond(say`a pattern`);
    if (!/[%_]/u.test(pattern)) return `${subject} ${isNegated ? '!=' : '=='} ${printString(pattern)}`;
    const [, before, literal = '', after] = /^(%?)([^%_]*)(%?)$/u.exec(pattern) ?? [];
    const not = isNegated ? '!' : '';
    if (before === undefined) {
        const source = pattern
            .replaceAll(/[.*+?^${}()|[\]]/gu, '\\$&')
            .replaceAll('%', '[\\s\\S]*')
            .replaceAll('_', '[\\s\\S]');
        return `${not}rlike(${subject}, ${printString(`^${source}$`)})`;
    }
    const name = before === '' ? 'starts_with' : after === '' ? 'ends_with' : 'contains';
    return `${not}${name}(${subject}, ${printString(literal)})`;
}
