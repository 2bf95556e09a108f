import { uniqueName } from '#language/library/unique-name.ts';
import { writeModel } from '#language/library/written-model.ts';
import { joinRules } from './join-rules.ts';
import { predicateName, variableName } from './program-names.ts';
import type { ColumnType, FoundColumn, FoundTable } from './surveys/found-table.ts';

/** A table of a source that a program reads. */
export interface InferredTable extends Pick<FoundTable, 'name' | 'columns' | 'foreignKeys'> {
    /** The clauses that give a predicate its rows: a bind, or facts. */
    rowsOf(predicate: string): string;
}

const MODEL_TYPES: Readonly<Record<ColumnType, string>> = {
    INT: 'int',
    DOUBLE: 'double',
    STRING: 'string',
    BOOLEAN: 'boolean',
    DATE: 'date',
    DATETIME: 'datetime',
    LIST: 'list',
    STRUCT: 'string',
};

/** What a program has beside its rules. */
export interface ProgramParts {
    /** The clauses that give the sources of its predicates their rows. */
    readonly addBind: boolean;
    readonly addModel: boolean;
}

/**
 * The program that reads these tables, in the layout of D55: one block for each, by name, and then a rule for each that joins it with those
 * that its foreign keys lead to. Tables without columns have none.
 */
export function inferredProgram(tables: readonly InferredTable[], { addBind, addModel }: ProgramParts): string {
    const sorted = tables.filter(({ columns }) => columns.length > 0).sort((a, b) => (a.name < b.name ? -1 : 1));
    const taken = new Set<string>();
    const predicates = new Map(sorted.map(({ name }) => [name, uniqueName(predicateName(name), '_', taken)]));
    const blocks = sorted.map(({ name, columns, rowsOf }) => {
        const predicate = predicates.get(name) ?? '';
        const source = uniqueName(`${predicate}_source`, '_', taken);
        const variables = variableNames(columns.map(column => column.name)).join(',');
        return [
            ...(addBind ? [rowsOf(source)] : []),
            ...(addModel ? [modelOf(predicate, columns)] : []),
            `${predicate}(${variables}) :- ${source}(${variables}).`,
        ].join('\n');
    });
    const joins = joinRules(sorted, predicates, taken);
    return [...blocks, ...joins].map(block => `${block}\n`).join('\n');
}

/** The clause that says what the columns of a predicate are. */
export function modelOf(predicate: string, columns: readonly FoundColumn[]): string {
    const fields = columns.map(({ name, type, isLong }) => ({ name, type: type === 'INT' && isLong ? 'long' : MODEL_TYPES[type] }));
    return `${writeModel(predicate, fields, '')}.`;
}

/** One for each column, in order; each name once. */
function variableNames(names: readonly string[]): string[] {
    const taken = new Set<string>();
    return names.map(name => uniqueName(variableName(name), '', taken));
}
