import { resultOfCall } from '#language/library/expression-type.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { type FunctionEntry, type ParameterKind, parameterAt } from '#language/library/function-entry.ts';
import { printExpression } from '#language/program/print.ts';
import type { Call, Expression } from '#language/program/program.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { stop } from '../reports/reports.ts';
import type { Dictionary, ValueKind } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { CallSite, Implementation } from './builtins/builtin.ts';
import { surroundingsAt } from './builtins/surroundings.ts';
import { BUILTINS } from './builtins/table.ts';
import { type Compiled, locationOf, shown, warnOnce } from './expression-site.ts';
import { compileProvided } from './provided-call.ts';
import type { Evaluate, Scope } from './scope.ts';

type Compile = (expression: Expression, scope: Scope) => Evaluate;

/** A function call. One that the evaluator has no implementation for is the host's. */
export function compileCall(call: Call, args: readonly Compiled[], scope: Scope, compile: Compile): Compiled {
    const entry = functionNamed(call.name, scope.libraryPrefixes);
    const builtin = entry === undefined ? undefined : BUILTINS.get(entry.name);
    if (entry === undefined || builtin === undefined) return compileProvided(call, entry, args, scope);
    const site = callSite(call, entry, args, scope, compile);
    const values = args.map(arg => arg.evaluate);
    const evaluate = builtin.kind === 'lazy' ? builtin.compile(site, values) : eagerly(entry, builtin.compile(site), site, values);
    return { evaluate, type: resultOfCall(entry, site.types, call.arguments) };
}

/** Evaluates the arguments into one array per call in the program, and calls the function where it can take them. */
function eagerly(entry: FunctionEntry, run: Implementation, site: CallSite, values: readonly Evaluate[]): Evaluate {
    const { dictionary } = site;
    const { strict } = entry;
    const kinds = values.map((_, i) => parameterAt(entry, i, values.length)?.kind ?? 'any');
    const row = new Int32Array(values.length);
    return registers => {
        let unknown = false;
        let misfit = false;
        for (let i = 0; i < values.length; i++) {
            const value = values[i]!(registers);
            row[i] = value;
            if (dictionary.isNull(value)) unknown = true;
            else if (!fits(dictionary, value, kinds[i]!)) misfit = true;
        }
        if (unknown && strict) return site.missing(row);
        return misfit ? site.undefinedFor(row) : run(row);
    };
}

function callSite(call: Call, entry: FunctionEntry, args: readonly Compiled[], scope: Scope, compile: Compile): CallSite {
    const { dictionary } = scope;
    const location = locationOf(call, scope);
    const undefinedFor = warnOnce('RT024', call, scope);
    const unreadable = warnOnce('RT021', call, scope);
    const types = args.map(arg => arg.type);
    const missing = (values: ArrayLike<ValueId>): ValueId => dictionary.labelledNull(entry.name, Array.from(values), false);
    return {
        dictionary,
        types,
        written: call.arguments,
        compileBody: (body, variables) => compile(body, bodyScope(variables, scope)),
        surroundings: scope.surroundings ?? surroundingsAt(scope.now),
        missing,
        undefinedFor: values => {
            undefinedFor(() => [call.name, Array.from(values, (value, i) => shown(dictionary, value, types[i])).join(', ')]);
            return missing(values);
        },
        unreadable: (values, type) => {
            unreadable(() => [1, type, undefined, undefined, shown(dictionary, values[0]!, types[0])]);
            return missing(values);
        },
        warnUnreadable: (type, text) => unreadable(() => [1, type, undefined, undefined, text]),
        stop: (code, ...words) => stop(code, { location }, ...words),
        overflow: () => stop('RT010', { location }, printExpression(call)),
        divisionByZero: () => stop('RT011', { location }, printExpression(call)),
    };
}

/** The scope of a body that sees its own variables alone, and the functions by their own names. */
function bodyScope(variables: ReadonlyMap<string, Type>, { libraryPrefixes: _, ...scope }: Scope): Scope {
    const names = [...variables.keys()];
    return { ...scope, slot: name => names.indexOf(name), type: name => variables.get(name) ?? MIXED };
}

function fits(dictionary: Dictionary, id: ValueId, parameter: ParameterKind): boolean {
    if (parameter === 'any') return true;
    if (parameter === 'integer') return dictionary.isNumber(id) && dictionary.isInteger(id);
    return KINDS[parameter].includes(dictionary.kind(id));
}

const KINDS: Record<Exclude<ParameterKind, 'any' | 'integer'>, readonly ValueKind[]> = {
    number: ['number'],
    string: ['string'],
    boolean: ['boolean'],
    date: ['date', 'timestamp'],
    time: ['date', 'timestamp'],
    list: ['list'],
    set: ['set'],
    map: ['map'],
    struct: ['struct'],
    collection: ['list', 'set'],
    'collection-or-map': ['list', 'set', 'map'],
};
