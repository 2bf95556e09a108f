import { typeOfExpression } from '#language/library/expression-type.ts';
import type { Parameter } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { MIXED, printType, type Type, UNKNOWN } from '#language/program/types.ts';
import type { GivenText } from '../contracts/run-options.ts';
import { type Report, stop } from '../reports/reports.ts';
import { castText } from '../values/cast.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { setOf } from '../values/set-of.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileExpression } from './expression.ts';
import type { ParameterValue } from './run-context.ts';

const INTEGER = /^-?\d+$/;
const DOUBLE = /^-?\d+\.\d+([eE][+-]?\d+)?$/;
const BOOLEANS: ReadonlySet<string> = new Set(['#T', '#F']);
const QUOTED = /^"(.*)"$/s;

/** The parameters of a run: the values given for it, in the type of the default where there is one (D-64), else the defaults. */
export function readParameters(
    declared: ReadonlyMap<string, Parameter>,
    given: ReadonlyMap<string, unknown>,
    dictionary: Dictionary,
    onReport: (report: Report) => void,
): Map<string, ParameterValue> {
    const reader = new ParameterReader(dictionary);
    const values = new Map<string, ParameterValue>();
    const pending = new Set(declared.keys());
    /** Defaults may have other parameters in their texts, in whatever order they are declared. */
    const parameterOf = (name: string): ParameterValue => {
        const parameter = declared.get(name);
        if (parameter !== undefined && pending.delete(name)) read(parameter);
        return values.get(name) ?? missingParameter(name);
    };
    const read = ({ name, value, place }: Parameter): void => {
        const override = given.get(name);
        if (value === undefined) {
            if (override !== undefined) values.set(name, reader.untyped(name, override));
            return;
        }
        const type = typeOfExpression(value, { variable: () => MIXED, parameter: () => MIXED });
        if (override !== undefined) {
            values.set(name, { value: reader.typed(name, override, type), type });
            return;
        }
        const scope = {
            dictionary,
            place,
            slot: () => 0,
            type: () => MIXED,
            parameter: parameterOf,
            report: onReport,
        };
        values.set(name, { value: compileExpression(value, scope)(new Int32Array(0)), type });
    };
    for (const [name, value] of given) if (!declared.has(name)) values.set(name, reader.untyped(name, value));
    for (const parameter of declared.values()) if (pending.delete(parameter.name)) read(parameter);
    return values;
}

/** A parameter that is used but has neither a default nor a value for the run. */
export function missingParameter(name: string): never {
    return stop('RT080', { remedy: say`Give it with the run, or declare @param("${name}", value).` }, name);
}

class ParameterReader {
    readonly #dictionary: Dictionary;

    constructor(dictionary: Dictionary) {
        this.#dictionary = dictionary;
    }

    /** The given value in the type of the default. */
    typed(name: string, given: unknown, type: Type): ValueId {
        const value = this.#convert(given, type);
        return value ?? stop('RT080', {}, name, shownGiven(given), printType(type));
    }

    /** The given value in its own type; a text is a literal where it reads as one. */
    untyped(name: string, given: unknown): ParameterValue {
        const type = this.#typeOf(given);
        const text = typeof given === 'string' ? (QUOTED.exec(given)?.[1]?.replaceAll('""', '"') ?? given) : given;
        return { value: this.typed(name, text, type), type };
    }

    #convert(given: unknown, type: Type): ValueId | undefined {
        const dictionary = this.#dictionary;
        if (given === null) return undefined;
        if (isGivenText(given)) {
            const isOpen = type.kind === 'unknown' || type.kind === 'mixed';
            return isOpen ? dictionary.string(given.text) : this.#convert(given.text, type);
        }
        if (type.kind === 'list' || type.kind === 'set') return this.#collection(given, type);
        if (type.kind === 'unknown' || type.kind === 'mixed') {
            const own = this.#typeOf(given);
            return own.kind === 'unknown' ? undefined : this.#convert(given, own);
        }
        switch (typeof given) {
            case 'string':
                if (type.kind === 'boolean' && BOOLEANS.has(given)) return dictionary.boolean(given === '#T');
                return castText(dictionary, given, type);
            case 'number':
                if (type.kind === 'string' || type.kind === 'json') return dictionary.string(String(given));
                return this.#number(given, type);
            case 'bigint':
                return type.kind === 'long' || type.kind === 'int' ? castText(dictionary, String(given), type) : undefined;
            case 'boolean':
                if (type.kind === 'string') return dictionary.string(String(given));
                return type.kind === 'boolean' ? dictionary.boolean(given) : undefined;
            default:
                return undefined;
        }
    }

    #number(given: number, type: Type): ValueId | undefined {
        if (!Number.isFinite(given)) return undefined;
        switch (type.kind) {
            case 'double':
                return this.#dictionary.number(given);
            case 'float':
                return this.#dictionary.number(Math.fround(given));
            case 'int':
            case 'long':
                return Number.isInteger(given) ? castText(this.#dictionary, BigInt(given).toString(), type) : undefined;
            default:
                return undefined;
        }
    }

    #collection(given: unknown, type: Extract<Type, { element: Type }>): ValueId | undefined {
        const elements = typeof given === 'string' ? readArray(given) : given;
        if (!Array.isArray(elements)) return undefined;
        const items: ValueId[] = [];
        for (const one of elements) {
            const item = this.#convert(one, type.element);
            if (item === undefined) return undefined;
            items.push(item);
        }
        return type.kind === 'set' ? setOf(this.#dictionary, items) : this.#dictionary.list(items);
    }

    #typeOf(given: unknown): Type {
        switch (typeof given) {
            case 'string':
                return typeOfText(given, this.#dictionary);
            case 'number':
                return numberType(given);
            case 'bigint':
                return { kind: 'long' };
            case 'boolean':
                return { kind: 'boolean' };
            default:
                if (isGivenText(given)) return { kind: 'string' };
                return Array.isArray(given) ? { kind: 'list', element: MIXED } : UNKNOWN;
        }
    }
}

/** Strings, and whole numbers that a number of JavaScript may not hold. */
const IN_JSON = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/gu;

/** The value of a JSON text; undefined for another one. Long whole numbers become texts, which elements are converted from, too. */
function readArray(text: string): unknown {
    try {
        return JSON.parse(text.replaceAll(IN_JSON, part => (part.startsWith('"') ? part : `"${part}"`)));
    } catch {
        return undefined;
    }
}

function isGivenText(given: unknown): given is GivenText {
    return typeof given === 'object' && given !== null && 'text' in given;
}

/** Whole numbers that 64 bits do not hold, such as `1e300`, are doubles. */
function numberType(value: number): Type {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? integerType(value) : { kind: 'double' };
}

function integerType(value: number): Type {
    return { kind: value >= -(2 ** 31) && value < 2 ** 31 ? 'int' : 'long' };
}

/** The type of the literal that a text is, or string. */
function typeOfText(text: string, dictionary: Dictionary): Type {
    if (INTEGER.test(text)) return integerType(Number(text));
    if (DOUBLE.test(text)) return { kind: 'double' };
    if (BOOLEANS.has(text)) return { kind: 'boolean' };
    if (castText(dictionary, text, { kind: 'date' }) !== undefined) return { kind: 'date' };
    if (castText(dictionary, text, { kind: 'timestamp' }) !== undefined) return { kind: 'timestamp' };
    return { kind: 'string' };
}

function shownGiven(given: unknown): string {
    if (isGivenText(given)) return given.text;
    if (typeof given === 'string') return given;
    return JSON.stringify(given, (_, one) => (isGivenText(one) ? one.text : one)) ?? String(given);
}
