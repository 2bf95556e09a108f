import type { ForeignKey } from '../surveys/found-table.ts';
import { DOCUMENT_COLUMN_TYPES, type DocumentTable } from './document.ts';

const MOST_TABLES = 50;
const MOST_COLUMNS = 60;
const LONGEST_NAME = 100;

/** A fact as a model writes it. */
export interface AnsweredRow {
    /** Of those that it was shown, from 1. */
    readonly line: number | undefined;
    readonly values: readonly unknown[];
}

/** A table as a model writes it; without columns where it has been told of them. */
export interface AnsweredTable {
    readonly name: string;
    readonly columns: DocumentTable['columns'] | undefined;
    readonly foreignKeys: readonly ForeignKey[];
    readonly rows: readonly AnsweredRow[];
}

/** The tables of an answer; what has another form is told, and none of them. */
export function answeredTables(answer: string, problems: string[]): AnsweredTable[] {
    const value = jsonIn(answer);
    const tables = objectOf(value)?.tables;
    if (!Array.isArray(tables) || tables.length > MOST_TABLES) {
        problems.push(
            value === undefined ? 'The answer is no JSON.' : `The answer must be {"tables": […]} with ${MOST_TABLES} tables at most.`,
        );
        return [];
    }
    return tables.flatMap((table: unknown, i) => {
        const { name, columns, keys = [], rows } = objectOf(table) ?? {};
        const refuse = (reason: string): [] => {
            problems.push(`Table ${i + 1} ${reason}.`);
            return [];
        };
        if (!isName(name)) return refuse('has no name');
        if (!Array.isArray(rows)) return refuse('has no list of rows');
        const found = columns === undefined ? undefined : columnsOf(columns);
        if (found === 'wrong')
            return refuse(
                `must have 1 to ${MOST_COLUMNS} columns {"name", "type"} with the types ${DOCUMENT_COLUMN_TYPES.join(', ').toLowerCase()}`,
            );
        const read = rows.map(rowOf);
        const whole = read.filter(row => row !== undefined);
        if (whole.length < read.length) return refuse(`has a row ${read.indexOf(undefined) + 1} that is not {"line": …, "values": […]}`);
        return [{ name, columns: found, foreignKeys: Array.isArray(keys) ? keys.flatMap(keyOf) : [], rows: whole }];
    });
}

function columnsOf(value: unknown): DocumentTable['columns'] | 'wrong' {
    if (!Array.isArray(value) || value.length === 0 || value.length > MOST_COLUMNS) return 'wrong';
    const found = value.map((column: unknown) => {
        const { name, type = 'string' } = objectOf(column) ?? {};
        const known = DOCUMENT_COLUMN_TYPES.find(one => one.toLowerCase() === type);
        return isName(name) && known !== undefined ? { name, type: known } : undefined;
    });
    const columns = found.filter(column => column !== undefined);
    const names = new Set(columns.map(({ name }) => name));
    return names.size === value.length ? columns : 'wrong';
}

function keyOf(value: unknown): ForeignKey[] {
    const { column, table, references } = objectOf(value) ?? {};
    return isName(column) && isName(table) && isName(references) ? [{ columns: [column], table, references: [references] }] : [];
}

function rowOf(value: unknown): AnsweredRow | undefined {
    const { line, values } = objectOf(value) ?? {};
    if (!Array.isArray(values) || (line !== undefined && !Number.isInteger(line))) return undefined;
    return { line: line as number | undefined, values };
}

function isName(value: unknown): value is string {
    return typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

function jsonIn(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
