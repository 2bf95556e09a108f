import type { ComparisonClass } from '#language/library/comparison-class.ts';
import { readDatePattern } from '#language/library/date-pattern.ts';
import { typeOfConstant } from '#language/library/expression-type.ts';
import { type FunctionEntry, type ParameterKind, parameterAt } from '#language/library/function-entry.ts';
import { ARRAY, LAMBDA_FUNCTIONS } from '#language/library/lambda/functions.ts';
import { readLambda } from '#language/library/lambda/read-lambda.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { readPattern } from '#language/library/pattern.ts';
import { TIME_PARTS, TIME_UNITS } from '#language/library/time-units.ts';
import { readSchema, typeNamed } from '#language/library/type-names.ts';
import { isKnownConstant } from '#language/program/constants.ts';
import type { Cast, Problem } from '#language/program/problem.ts';
import type { Call, Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace } from '#language/program/span.ts';
import type { Type } from '#language/program/types.ts';
import { problem, withMeant, withRemedy } from '../catalogue.ts';

/** Arguments that are constants and wrong whatever the rule matches: their type, RL5003, and what they say, RL5004 to RL5020. */
export function* checkConstantArguments(call: Call, entry: FunctionEntry, place: ClausePlace): Iterable<Problem> {
    if (entry.provider) yield problem('RL5021', place, call.nameSpan, call.name);
    const misfits = [...misfitsOf(call, entry, place)];
    yield* misfits;
    if (misfits.length > 0) return;
    const [, second, third] = call.arguments;
    switch (entry.name) {
        case 'replace':
            if (second?.kind === 'string' && LIKE_A_PATTERN.test(second.value)) yield problem('RL5020', place, second.span);
            return;
        case 'rlike':
            yield* checkPattern(second, place);
            return;
        case 'hash:sha2':
            yield* checkOption(call.arguments.at(-1), ['0', '256', '384', '512'], say`number of bits`, place);
            return;
        case 'collections:sort':
            yield* checkOption(second, ['asc', 'desc'], 'order', place);
            return;
        case 'collections:get':
        case 'collections:slice':
            if (second?.kind === 'integer' && Number(second.value) === 0) yield problem('RL5011', place, second.span);
            return;
        case 'collections:transform':
        case 'collections:filter':
            yield* checkLambda(second, place);
            return;
        case 'date:format':
        case 'date:to_timestamp':
            yield* checkDatePattern(second, place);
            return;
        case 'date:plus':
        case 'date:between':
            yield* checkOption(third, TIME_UNITS, 'unit', place);
            return;
        case 'date:truncate':
            yield* checkOption(second, TIME_UNITS, 'unit', place);
            return;
        case 'date:part':
            yield* checkOption(second, TIME_PARTS, 'part', place);
            return;
        case 'as_list':
        case 'as_set':
            if (second?.kind !== 'string') return;
            yield* second.value.includes(':') ? checkSchema(second, place) : checkType(second, place);
            return;
        case 'as_struct':
            yield* checkSchema(second, place);
            return;
        case 'as_map':
            yield* checkType(second, place);
            yield* checkType(third, place);
            return;
        case 'struct':
            yield* checkFields(call, place);
            return;
        default:
            return;
    }
}

/** Escapes, repeated sets and wildcards; a lone bracket or dot is text like any other. */
const LIKE_A_PATTERN = /\\[sdwb]|\[\^|\[[a-z0-9]-[a-z0-9]|[\].)][*+]/iu;

function* misfitsOf(call: Call, entry: FunctionEntry, place: ClausePlace): Iterable<Problem> {
    for (const [i, argument] of call.arguments.entries()) {
        const kind = parameterAt(entry, i, call.arguments.length)?.kind ?? 'any';
        const type = constantType(argument);
        if (type === undefined || KINDS[kind].includes(type.kind)) continue;
        const found = problem('RL5003', place, argument.span, i + 1, call.name, WORDS[kind]());
        yield withRemedy(found, timeRemedy(kind, argument));
    }
}

/** A text in the place of a time, as it is written: with the time of day, or without. */
function timeRemedy(kind: ParameterKind, argument: Expression): string | undefined {
    if (kind !== 'time' && kind !== 'date') return undefined;
    const hasTime = kind === 'time' && argument.kind === 'string' && /\d:\d/u.test(argument.value);
    return hasTime ? say`write as_timestamp("…")` : say`write as_date("…")`;
}

/** Returns the type of a constant other than null; undefined if only a match decides. */
export function constantType(argument: Expression): Type | undefined {
    if (argument.kind === 'list' || argument.kind === 'set') return { kind: argument.kind, element: { kind: 'unknown' } };
    return isKnownConstant(argument) ? typeOfConstant(argument) : undefined;
}

const EVERY_KIND: readonly Type['kind'][] = ['string', 'int', 'long', 'double', 'boolean', 'date', 'timestamp', 'list', 'set'];

const KINDS: Readonly<Record<ParameterKind, readonly Type['kind'][]>> = {
    any: EVERY_KIND,
    number: ['int', 'long', 'double'],
    integer: ['int', 'long'],
    string: ['string'],
    boolean: ['boolean'],
    date: ['date', 'timestamp'],
    time: ['date', 'timestamp'],
    list: ['list'],
    set: ['set'],
    map: [],
    struct: [],
    collection: ['list', 'set'],
    'collection-or-map': ['list', 'set'],
};

const WORDS: Readonly<Record<ParameterKind, () => string>> = {
    any: () => say`a value`,
    number: () => say`a number`,
    integer: () => say`an integer`,
    string: () => say`a string`,
    boolean: () => say`a boolean`,
    date: () => say`a date`,
    time: () => say`a date or timestamp`,
    list: () => say`a list`,
    set: () => say`a set`,
    map: () => say`a map`,
    struct: () => say`a struct`,
    collection: () => say`a list or set`,
    'collection-or-map': () => say`a list, set or map`,
};

/** The values that an argument accepts, in words too; undefined classes accept every value. */
export function expectedOf(kind: ParameterKind): {
    readonly classes: readonly ComparisonClass[] | undefined;
    readonly words: string;
    readonly cast: Cast | undefined;
} {
    return { classes: CLASSES[kind], words: WORDS[kind](), cast: CASTS.get(kind) };
}

const CLASSES: Readonly<Record<ParameterKind, readonly ComparisonClass[] | undefined>> = {
    any: undefined,
    number: ['number'],
    integer: ['number'],
    string: ['string'],
    boolean: ['boolean'],
    date: ['time'],
    time: ['time'],
    list: ['list'],
    set: ['set'],
    map: ['map'],
    struct: ['struct'],
    collection: ['list', 'set'],
    'collection-or-map': ['list', 'set', 'map'],
};

const CASTS: ReadonlyMap<ParameterKind, Cast> = new Map([
    ['number', 'as_double'],
    ['integer', 'as_int'],
    ['string', 'as_string'],
    ['date', 'as_date'],
    ['time', 'as_timestamp'],
]);

function* checkOption(argument: Expression | undefined, options: readonly string[], what: string, place: ClausePlace): Iterable<Problem> {
    if (argument?.kind !== 'string' && argument?.kind !== 'integer') return;
    const written = String(argument.value);
    if (options.includes(written) || isParametrised(written)) return;
    const expected = say`${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
    const found = problem('RL5004', place, argument.span, written, what, expected);
    yield argument.kind === 'string' ? withMeant(found, nearestName(written, options)) : found;
}

function* checkType(argument: Expression | undefined, place: ClausePlace): Iterable<Problem> {
    if (argument?.kind !== 'string' || typeNamed(argument.value) !== undefined || isParametrised(argument.value)) return;
    yield problem('RL5004', place, argument.span, argument.value, 'type', say`one of ${ELEMENT_TYPES.join(', ')}`);
}

const ELEMENT_TYPES = ['string', 'int', 'long', 'double', 'float', 'boolean', 'date', 'timestamp'];

function* checkSchema(argument: Expression | undefined, place: ClausePlace): Iterable<Problem> {
    if (argument?.kind !== 'string' || isParametrised(argument.value)) return;
    const schema = readSchema(argument.value);
    if (!schema.ok) yield problem('RL5006', place, argument.span, schema.reason);
}

function* checkDatePattern(argument: Expression | undefined, place: ClausePlace): Iterable<Problem> {
    if (argument?.kind !== 'string' || isParametrised(argument.value)) return;
    const pattern = readDatePattern(argument.value);
    if (pattern.ok) return;
    const lower = pattern.unknown.toLowerCase();
    const found = problem('RL5016', place, argument.span, pattern.unknown);
    yield withMeant(found, lower !== pattern.unknown && readDatePattern(lower).ok ? lower : undefined);
}

function* checkPattern(argument: Expression | undefined, place: ClausePlace): Iterable<Problem> {
    if (argument?.kind !== 'string' || isParametrised(argument.value)) return;
    const read = readPattern(argument.value);
    if (!read.ok) yield problem('RL5005', place, argument.span, read.reason);
}

function* checkLambda(argument: Expression | undefined, place: ClausePlace): Iterable<Problem> {
    if (argument === undefined) return;
    if (argument.kind !== 'string') {
        yield problem('RL5015', place, argument.span);
        return;
    }
    const read = readLambda(argument.value, argument.span);
    if (read.ok) return;
    const { kind, words } = read.problem;
    if (kind === 'syntax') {
        yield problem('RL5013', place, argument.span, words);
        return;
    }
    yield withMeant(problem('RL5014', place, argument.span, words), nearestName(words, [...LAMBDA_FUNCTIONS.keys(), ARRAY]));
}

function* checkFields(call: Call, place: ClausePlace): Iterable<Problem> {
    const seen = new Set<string>();
    for (let i = 0; i < call.arguments.length; i += 2) {
        const name = call.arguments[i];
        if (name?.kind !== 'string') {
            if (name !== undefined) yield problem('RL5007', place, name.span);
            continue;
        }
        if (seen.has(name.value) || i + 1 === call.arguments.length) yield problem('RL5008', place, name.span, name.value);
        seen.add(name.value);
    }
}

/** The text of a parameter decides. */
function isParametrised(text: string): boolean {
    return text.includes('${');
}
