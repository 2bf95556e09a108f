/** The meaning of each argument, by the name that signatures show. Editors complete, colour and follow an argument by this name. */
export const PARAMETER_WORDS = {
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
    case: 'What the test case is called; each name stands once in a file.',
    expectation: 'exact, where nothing else may be there and which is usual; contains, empty or count.',
    count: 'How many facts there are.',
    code: 'The code of an error: RT040.',
} as const;

export type ParameterName = keyof typeof PARAMETER_WORDS;

export interface AnnotationParameter {
    readonly name: ParameterName;
    readonly optional: boolean;
}

interface Details {
    /** Part of the core set that every component supports. */
    readonly core?: true;
    /** More arguments than the listed parameters may follow. */
    readonly open?: true;
    /** Recognised, and refused as unsupported (8.13). */
    readonly unsupported?: true;
    /** It makes the name in it a predicate's (1.1). */
    readonly introduces?: true;
    /** It says what becomes of rows, and nothing of what their predicate is. */
    readonly aboutRows?: true;
}

export interface AnnotationEntry extends Details {
    readonly name: string;
    readonly parameters: readonly AnnotationParameter[];
    readonly repeatable: 'per program' | 'per file' | 'per predicate' | 'per parameter' | 'per column' | 'freely';
    readonly documentation: string;
}

function annotation(
    name: string,
    parameters: readonly (ParameterName | `${ParameterName}?`)[],
    repeatable: AnnotationEntry['repeatable'],
    documentation: string,
    details: Details = {},
): readonly [string, AnnotationEntry] {
    return [name, { name, parameters: parameters.map(parameter), repeatable, documentation, ...details }];
}

function parameter(text: ParameterName | `${ParameterName}?`): AnnotationParameter {
    return { name: text.replace('?', '') as ParameterName, optional: text.endsWith('?') };
}

const core = { core: true } as const;
const introducing = { core: true, introduces: true } as const;

/** The annotations of section 8, by name. */
export const ANNOTATIONS: ReadonlyMap<string, AnnotationEntry> = new Map([
    annotation('output', ['predicate'], 'per predicate', 'The facts of the predicate are part of the answer.', introducing),
    annotation('input', ['predicate'], 'per predicate', 'The rows of the predicate come from outside.', introducing),
    annotation(
        'bind',
        ['predicate', 'source', 'outer', 'inner'],
        'freely',
        'Reads the predicate from a source, or writes an output to it.',
        introducing,
    ),
    annotation(
        'qbind',
        ['predicate', 'source', 'outer', 'query'],
        'freely',
        'Reads the predicate through a query in the language of the source.',
        introducing,
    ),
    annotation(
        'model',
        ['name form', 'fields', 'description?'],
        'per predicate',
        'Names and types the columns of a predicate.',
        introducing,
    ),
    annotation('param', ['name', 'value'], 'per parameter', 'Declares a parameter with its default.', core),
    annotation('module', ['name'], 'per file', 'Names the module in this file.', core),
    annotation('include', ['module'], 'freely', 'Adds the clauses of a module.', core),
    annotation('mapping', ['predicate', 'position', 'column', 'type'], 'per column', 'Names and types one column of a bound predicate.'),
    annotation('post', ['predicate', 'directive'], 'freely', 'Filters, sorts or limits the rows of an output.', { aboutRows: true }),
    annotation('chase', ['source', 'outer?', 'inner?'], 'per program', 'Writes every derivation step.', { open: true, aboutRows: true }),
    annotation('explain', ['source', 'outer?', 'inner?'], 'per program', 'Explains the facts of the answer.', { aboutRows: true }),
    annotation('library', ['prefix', 'library'], 'freely', 'Makes a prefix for the functions of a library.'),
    annotation('implement', ['name', 'language', 'location', 'entry?'], 'freely', 'Declares an external function.'),
    annotation('delete', ['predicate', 'keys'], 'per predicate', 'Deletes rows of the target by key columns.'),
    annotation('update', ['predicate', 'keys'], 'per predicate', 'Updates rows of the target by key columns.'),
    annotation('relaxedSafety', [], 'per program', 'Turns some termination errors into warnings.'),
    annotation('executionMode', ['mode'], 'per program', 'Accepted and ignored.'),
    annotation('test', ['case'], 'freely', 'Begins a test case: facts and rules up to the next one belong to it.'),
    annotation('given', ['predicate'], 'freely', 'The predicate has exactly the facts that the test lists, or none if it lists none.'),
    annotation(
        'expect',
        ['predicate', 'expectation?', 'count?'],
        'freely',
        'The test case must derive the facts below, up to the next annotation.',
    ),
    annotation('expectError', ['code'], 'freely', 'The test case ends with this error.'),
    annotation('temporalMapping', [], 'freely', 'Part of a temporal extension that is not supported.', { open: true, unsupported: true }),
    annotation('temporalMappings', [], 'freely', 'Part of a temporal extension that is not supported.', { open: true, unsupported: true }),
]);

/** The annotations of test files. */
export const TEST_ANNOTATIONS: ReadonlySet<string> = new Set(['test', 'given', 'expect', 'expectError']);

/** The kinds of claim that an expectation makes about the facts of a predicate. */
export const EXPECTATIONS = ['exact', 'contains', 'empty', 'count'] as const;

/** Whether the first argument of the annotation is the predicate that it is about. */
export function namesPredicate(annotation: string): boolean {
    const name = ANNOTATIONS.get(annotation)?.parameters[0]?.name;
    return name === 'predicate' || name === 'name form';
}
