import { say } from '#language/program/say.ts';
import type { FunctionParameter, ParameterKind } from './function-entry.ts';

const KINDS: Readonly<Record<ParameterKind, () => string>> = {
    any: () => say`Any value`,
    number: () => say`A number`,
    integer: () => say`A whole number`,
    string: () => say`A text`,
    boolean: () => say`True or false`,
    date: () => say`A date`,
    time: () => say`A date or a timestamp`,
    list: () => say`A list`,
    set: () => say`A set`,
    map: () => say`A map`,
    struct: () => say`A struct`,
    collection: () => say`A list or a set`,
    'collection-or-map': () => say`A list, a set or a map`,
};

/** Describes an argument of a function in a sentence. */
export function functionParameterWords({ kind, optional, variadic }: FunctionParameter): string {
    return `${KINDS[kind]()}${variadic ? say`; as many as you like` : ''}${optional ? say`; may be left out` : ''}.`;
}

/** A sentence for each part of an aggregate, by its name in the signature. */
export const AGGREGATE_WORDS: Readonly<Record<string, string>> = {
    value: 'What each row contributes; rows in which it is unknown are skipped.',
    'value?': 'What each row contributes; without it, rows are counted.',
    'variant?': 'Which median is meant; "exact", which is also the one without it.',
    '<contributors>?': 'Variables: of the rows of a group that agree in them, one counts.',
};

/** The meaning of the arguments of a relation function. */
export const RELATION_WORDS: readonly string[] = ['The predicate whose facts are the edges.', 'Options as key=value; each has a default.'];
