import { formatText } from '#language/editing/format-edits.ts';
import { uniqueName } from '#language/library/unique-name.ts';
import { writeModel } from '#language/library/written-model.ts';
import { printString } from '#language/program/print-constant.ts';
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
    /** `@output` for what no other rule reads. */
    readonly addOutput: boolean;
}

/**
 * The program that reads the tables of these sources, in the layout of D55: one block for each table, by name, and then a rule for each that
 * joins it with those that its foreign keys lead to. Tables without columns have none.
 */
export function inferredProgram(sources: readonly (readonly InferredTable[])[], { addBind, addModel, addOutput }: ProgramParts): string {
    const tables = sources.flat().filter(({ columns }) => columns.length > 0);
    const sorted = tables.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    const taken = new Set<string>();
    const predicates = new Map(sorted.map(table => [table, uniqueName(predicateName(table.name), '_', taken)]));
    const blocks = sorted.map(table => {
        const { columns } = table;
        const predicate = predicates.get(table) ?? '';
        const source = uniqueName(`${predicate}_source`, '_', taken);
        const variables = variableNames(columns.map(column => column.name)).join(',');
        return [
            ...(addBind ? [table.rowsOf(source)] : []),
            ...(addModel ? [modelOf(predicate, columns)] : []),
            `${predicate}(${variables}) <- ${source}(${variables}).`,
        ].join('\n');
    });
    const joins = sources.flatMap(of =>
        joinRules(
            sorted.filter(table => of.includes(table)),
            predicates,
            taken,
        ),
    );
    const read = new Set(joins.flatMap(({ reads }) => reads));
    const outputs = [
        ...sorted.filter(table => !read.has(table)).map(table => predicates.get(table) ?? ''),
        ...joins.map(join => join.predicate),
    ];
    const ends = addOutput && outputs.length > 0 ? [outputs.map(name => `@output(${printString(name)}).`).join('\n')] : [];
    return formatText([...blocks, ...joins.map(({ text }) => text), ...ends].map(block => `${block}\n`).join('\n'));
}

/** The clause that says what the columns of a predicate are. */
export function modelOf(predicate: string, columns: readonly FoundColumn[]): string {
    const fields = columns.map(({ name, type, isLong }) => ({ name, type: type === 'INT' && isLong ? 'long' : MODEL_TYPES[type] }));
    return `${writeModel(predicate, fields)}.`;
}

/** One for each column, in order; each name once. */
function variableNames(names: readonly string[]): string[] {
    const taken = new Set<string>();
    return names.map(name => uniqueName(variableName(name), '', taken));
}
