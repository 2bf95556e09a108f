/** What an annotation argument has to be. */
export type AnnotationArgumentKind = 'predicate' | 'text' | 'value' | 'position';

export interface AnnotationParameter {
    readonly name: string;
    readonly kind: AnnotationArgumentKind;
    readonly optional: boolean;
}

export interface AnnotationEntry {
    readonly name: string;
    readonly parameters: readonly AnnotationParameter[];
    /** More arguments than the listed parameters may follow. */
    readonly open: boolean;
    /** Every annotation of the language is a clause of its own. */
    readonly level: 'stand-alone';
    readonly repeatable: 'per program' | 'per file' | 'per predicate' | 'per parameter' | 'per column' | 'freely';
    /** Part of the core set that every component supports. */
    readonly core: boolean;
    /** Recognised, and refused as unsupported (8.13). */
    readonly unsupported: boolean;
    readonly documentation: string;
}

function annotation(
    name: string,
    parameters: string,
    repeatable: AnnotationEntry['repeatable'],
    documentation: string,
    details: { readonly core?: boolean; readonly open?: boolean; readonly unsupported?: boolean } = {},
): readonly [string, AnnotationEntry] {
    const entry: AnnotationEntry = {
        name,
        parameters: parameters === '' ? [] : parameters.split(', ').map(parameter),
        open: details.open ?? false,
        level: 'stand-alone',
        repeatable,
        core: details.core ?? false,
        unsupported: details.unsupported ?? false,
        documentation,
    };
    return [name, entry];
}

function parameter(text: string): AnnotationParameter {
    const [name = '', kind = ''] = text.split(': ');
    return { name, kind: kind.replace('?', '') as AnnotationArgumentKind, optional: kind.endsWith('?') };
}

const core = { core: true };

/** The annotations of section 8, by name. */
export const ANNOTATIONS: ReadonlyMap<string, AnnotationEntry> = new Map([
    annotation('output', 'predicate: predicate', 'per predicate', 'The facts of the predicate are part of the answer.', core),
    annotation('input', 'predicate: predicate', 'per predicate', 'The rows of the predicate come from outside.', core),
    annotation(
        'bind',
        'predicate: predicate, source: text, outer: text, inner: text',
        'freely',
        'Reads the predicate from a source, or writes an output to it.',
        core,
    ),
    annotation(
        'qbind',
        'predicate: predicate, source: text, outer: text, query: text',
        'freely',
        'Reads the predicate through a query in the language of the source.',
        core,
    ),
    annotation(
        'model',
        'name form: text, fields: text, description: text?',
        'per predicate',
        'Names and types the columns of a predicate.',
        core,
    ),
    annotation('param', 'name: text, value: value', 'per parameter', 'Declares a parameter with its default.', core),
    annotation('module', 'name: text', 'per file', 'Names the module in this file.', core),
    annotation('include', 'module: text', 'freely', 'Adds the clauses of a module.', core),
    annotation(
        'mapping',
        'predicate: predicate, position: position, column: text, type: text',
        'per column',
        'Names and types one column of a bound predicate.',
    ),
    annotation('post', 'predicate: predicate, directive: text', 'freely', 'Filters, sorts or limits the rows of an output.'),
    annotation('chase', 'source: text, outer: text?, inner: text?', 'per program', 'Writes every derivation step.', { open: true }),
    annotation('explain', 'source: text, outer: text?, inner: text?', 'per program', 'Explains the facts of the answer.'),
    annotation('library', 'prefix: text, library: text', 'freely', 'Makes a prefix for the functions of a library.'),
    annotation('implement', 'name: text, language: text, location: text, entry: text?', 'freely', 'Declares an external function.'),
    annotation('delete', 'predicate: predicate, keys: text', 'per predicate', 'Deletes rows of the target by key columns.'),
    annotation('update', 'predicate: predicate, keys: text', 'per predicate', 'Updates rows of the target by key columns.'),
    annotation('relaxedSafety', '', 'per program', 'Turns some termination errors into warnings.'),
    annotation('executionMode', 'mode: text', 'per program', 'Accepted and ignored.'),
    annotation('temporalMapping', '', 'freely', 'Part of a temporal extension that is not supported.', { open: true, unsupported: true }),
    annotation('temporalMappings', '', 'freely', 'Part of a temporal extension that is not supported.', { open: true, unsupported: true }),
]);
