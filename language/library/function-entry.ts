import type { Expression } from '#language/program/program.ts';
import type { Type } from '#language/program/types.ts';

/** The kinds of value that an argument accepts. `time` is a date or a timestamp, `collection` a list or a set. */
export type ParameterKind =
    | 'any'
    | 'number'
    | 'integer'
    | 'string'
    | 'boolean'
    | 'date'
    | 'time'
    | 'list'
    | 'set'
    | 'map'
    | 'struct'
    | 'collection'
    | 'collection-or-map';

export interface FunctionParameter {
    readonly name: string;
    readonly kind: ParameterKind;
    readonly optional: boolean;
    /** One or more arguments stand here. */
    readonly variadic: boolean;
}

/** The parameter that the argument at a position of a call with so many arguments belongs to; a list of arguments may stand before others. */
export function parameterAt({ parameters }: FunctionEntry, position: number, count: number): FunctionParameter | undefined {
    const variadic = parameters.findIndex(parameter => parameter.variadic);
    if (variadic < 0 || position < variadic) return parameters[position];
    return parameters[Math.max(variadic, position - count + parameters.length)];
}

/** The types of the arguments of a call, and the arguments themselves, where a constant decides the result. */
export interface CallShape {
    readonly types: readonly Type[];
    readonly arguments: readonly Expression[];
    /** The type of an expression over variables of its own, such as the body of a lambda. */
    readonly typeIn: (expression: Expression, variable: (name: string) => Type) => Type;
}

export interface FunctionEntry {
    readonly name: string;
    readonly aliases: readonly string[];
    readonly parameters: readonly FunctionParameter[];
    readonly result: Type | ((call: CallShape) => Type);
    /** One sentence for hover, completion and the reference page. */
    readonly documentation: string;
    /** A null argument makes the result null (D-21). */
    readonly strict: boolean;
    /** When it may have another value for equal arguments; absent for a deterministic function. */
    readonly variesBy?: Variation;
    /** The host has to supply an implementation (RT060 without one). */
    readonly provider: boolean;
}

/** The clock has one value for the whole run, chance another one for each match. */
type Variation = 'run' | 'match';

interface EntryDetails {
    readonly aliases?: readonly string[];
    readonly strict?: boolean;
    readonly variesBy?: Variation;
    readonly provider?: boolean;
}

/**
 * One entry of the catalogue. Parameters are written `name: kind`, with `?` behind the kind of an optional one and `…`
 * behind that of one or more: `start: integer, length: integer?`; with both marks, any number may stand there.
 */
export function functionEntry(
    name: string,
    parameters: string,
    result: FunctionEntry['result'],
    documentation: string,
    details: EntryDetails = {},
): FunctionEntry {
    return {
        name,
        aliases: details.aliases ?? [],
        parameters: parameters === '' ? [] : parameters.split(', ').map(parameter),
        result,
        documentation,
        strict: details.strict ?? true,
        ...(details.variesBy && { variesBy: details.variesBy }),
        provider: details.provider ?? false,
    };
}

function parameter(text: string): FunctionParameter {
    const [name = '', kind = ''] = text.split(': ');
    return {
        name,
        kind: kind.replace(/[?…]/gu, '') as ParameterKind,
        optional: kind.endsWith('?'),
        variadic: kind.includes('…'),
    };
}

/** The least and the greatest number of arguments. */
export function argumentCount(entry: FunctionEntry): { readonly least: number; readonly most: number } {
    const least = entry.parameters.filter(p => !p.optional).length;
    const most = entry.parameters.some(p => p.variadic) ? Number.POSITIVE_INFINITY : entry.parameters.length;
    return { least, most };
}
