import { isNumeric, join, MIXED, type ScalarKind, type Type, UNKNOWN } from '#language/program/types.ts';
import type { SqlNode } from './parse-select.ts';
import { isNode, nodesIn, textOf } from './sql-nodes.ts';

/** Types of the parts of an expression. */
export interface SqlScope {
    column(node: SqlNode): Type;
    /** Of the first column of a subquery. */
    query(select: SqlNode): Type;
}

const LONG: Type = { kind: 'long' };
const DOUBLE: Type = { kind: 'double' };
const STRING: Type = { kind: 'string' };
const BOOLEAN: Type = { kind: 'boolean' };

const FUNCTIONS: Readonly<Record<string, Type | 'argument' | 'join'>> = {
    upper: STRING,
    lower: STRING,
    trim: STRING,
    ltrim: STRING,
    rtrim: STRING,
    substr: STRING,
    substring: STRING,
    concat: STRING,
    replace: STRING,
    length: LONG,
    size: LONG,
    sqrt: DOUBLE,
    power: DOUBLE,
    pow: DOUBLE,
    abs: 'argument',
    round: 'argument',
    ceil: 'argument',
    floor: 'argument',
    nullif: 'argument',
    coalesce: 'join',
    exists: BOOLEAN,
    row_number: LONG,
    rank: LONG,
    dense_rank: LONG,
    count: LONG,
    sum: 'argument',
    min: 'argument',
    max: 'argument',
    avg: DOUBLE,
    first_value: 'argument',
    last_value: 'argument',
    lag: 'argument',
    lead: 'argument',
};

const CASTS: Readonly<Record<string, ScalarKind>> = {
    INT: 'int',
    INTEGER: 'int',
    SMALLINT: 'int',
    BIGINT: 'long',
    DOUBLE: 'double',
    'DOUBLE PRECISION': 'double',
    FLOAT: 'double',
    REAL: 'double',
    NUMERIC: 'double',
    DECIMAL: 'double',
    VARCHAR: 'string',
    TEXT: 'string',
    CHAR: 'string',
    BOOLEAN: 'boolean',
    BOOL: 'boolean',
    DATE: 'date',
    TIMESTAMP: 'timestamp',
};

const CONDITIONS = new Set([
    '=',
    '<>',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    'AND',
    'OR',
    'IN',
    'NOT IN',
    'LIKE',
    'NOT LIKE',
    'ILIKE',
    'IS',
    'IS NOT',
    'IS DISTINCT FROM',
    'IS NOT DISTINCT FROM',
    'BETWEEN',
    'NOT BETWEEN',
]);
const ARITHMETIC = new Set(['+', '-', '*', '%']);
const INT_LIMIT = 2 ** 31;

/** The type of an expression's values as DuckDB computes them; `mixed` where the parts do not tell. */
export function typeOfSql(value: unknown, scope: SqlScope): Type {
    if (!isNode(value)) return MIXED;
    if (isNode(value.ast)) return scope.query(value.ast);
    const of = (part: unknown): Type => typeOfSql(part, scope);
    switch (value.type) {
        case 'column_ref':
            return scope.column(value);
        case 'number':
            return numberType(Number(value.value));
        case 'bigint':
            return LONG;
        case 'single_quote_string':
        case 'string':
            return STRING;
        case 'bool':
            return BOOLEAN;
        case 'null':
            return UNKNOWN;
        case 'unary_expr':
            return value.operator === '-' || value.operator === '+' ? of(value.expr) : BOOLEAN;
        case 'cast': {
            const [target] = nodesIn(value.target);
            const kind = CASTS[String(target?.dataType)];
            return kind === undefined ? MIXED : { kind };
        }
        case 'binary_expr':
            return chainType(value, of);
        case 'case':
            return nodesIn(value.args)
                .map(({ result }) => of(result))
                .reduce(join, UNKNOWN);
        case 'aggr_func':
        case 'window_func':
        case 'function':
            return functionType(value, of);
        default:
            return MIXED;
    }
}

function numberType(value: number): Type {
    if (!Number.isInteger(value)) return DOUBLE;
    return Math.abs(value) < INT_LIMIT ? { kind: 'int' } : LONG;
}

/** Operators of equal strength nest to the left as deep as the expression is long. */
function chainType(value: SqlNode, of: (part: unknown) => Type): Type {
    const chain: SqlNode[] = [];
    let first: unknown = value;
    while (isNode(first) && first.type === 'binary_expr') {
        chain.push(first);
        first = CONDITIONS.has(operatorOf(first)) ? undefined : first.left;
    }
    let type = of(first);
    for (const one of chain.reverse()) type = CONDITIONS.has(operatorOf(one)) ? BOOLEAN : binaryType(operatorOf(one), type, of(one.right));
    return type;
}

function operatorOf({ operator }: SqlNode): string {
    return String(operator).toUpperCase();
}

function binaryType(operator: string, left: Type, right: Type): Type {
    if (operator === '||') return STRING;
    if (!isNumeric(left) || !isNumeric(right)) return MIXED;
    if (operator === '/') return DOUBLE;
    if (!ARITHMETIC.has(operator)) return MIXED;
    const type = join(left, right);
    return type.kind === 'int' ? LONG : type;
}

function functionType(value: SqlNode, of: (part: unknown) => Type): Type {
    const written = isNode(value.name) ? nodesIn(value.name.name).map(textOf).join('.') : textOf(value.name);
    const args = isNode(value.args) ? (Array.isArray(value.args.value) ? value.args.value : [value.args.expr ?? value.args]) : [];
    const type = FUNCTIONS[String(written).toLowerCase()] ?? MIXED;
    if (type === 'join') return args.map(of).reduce(join, UNKNOWN);
    if (type !== 'argument') return type;
    const argument = of(args[0]);
    return argument.kind === 'int' ? LONG : argument;
}
