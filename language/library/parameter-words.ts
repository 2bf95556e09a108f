import type { FunctionParameter, ParameterKind } from './function-entry.ts';

const KINDS: Readonly<Record<ParameterKind, string>> = {
    any: 'Any value',
    number: 'A number',
    integer: 'A whole number',
    string: 'A text',
    boolean: 'True or false',
    date: 'A date',
    time: 'A date or a timestamp',
    list: 'A list',
    set: 'A set',
    map: 'A map',
    struct: 'A struct',
    collection: 'A list or a set',
    'collection-or-map': 'A list, a set or a map',
};

/** What an argument of a function is, in a sentence. */
export function functionParameterWords({ kind, optional, variadic }: FunctionParameter): string {
    return `${KINDS[kind]}${variadic ? '; as many as you like' : ''}${optional ? '; may be left out' : ''}.`;
}

/** What the parts of an aggregate are, by their names in its signature. */
export const AGGREGATE_WORDS: Readonly<Record<string, string>> = {
    value: 'What each row contributes; rows in which it is unknown are skipped.',
    'value?': 'What each row contributes; without it, rows are counted.',
    'variant?': 'Which median is meant; "exact", which is also the one without it.',
    '<contributors>?': 'Variables: of the rows of a group that agree in them, one counts.',
};

/** What the arguments of a relation function are. */
export const RELATION_WORDS: readonly string[] = ['The predicate whose facts are the edges.', 'Options as key=value; each has a default.'];

/** What the arguments of annotations are, by their names. */
export const ANNOTATION_WORDS: Readonly<Record<string, string>> = {
    predicate: 'The name of the predicate.',
    source: "The type of the source and its options: csv useHeaders=true, delimiter=';'.",
    outer: 'What the data lie in: the folder of a file, the database of a table.',
    inner: 'The data themselves: the name of the file, of the table.',
    query: 'A query in the language of the source.',
    'name form': 'The name of the predicate; (parent)name where it extends another model.',
    fields: "The columns in order, each with its name and type: ['name:string', 'age:int'].",
    description: 'What a row says, in words.',
    name: 'The name by which the program speaks of it.',
    value: 'The value that counts where none is given.',
    module: 'The name of the module, or the path of its file.',
    position: 'The column, counted from 0.',
    column: 'The name of the column in the source.',
    type: 'The type of its values.',
    directive: 'What is done with the rows: orderby(1), limit(10), certain …',
    prefix: 'What stands before the names of its functions.',
    library: 'The library that is meant.',
    keys: 'The columns by which a row of the target is found.',
    language: 'The language that the function is written in.',
    location: 'Where it is found.',
    entry: 'Its name there.',
    mode: 'Any text; it has no effect.',
};
