import { writeModel } from '#language/library/written-model.ts';
import type { Bind, ColumnTexts, SourceSchema } from '#language/program/analysed-program.ts';
import { printString } from '#language/program/print-constant.ts';
import { isNumeric, printType, type SourceColumn, type StringType, type TextReading, type Type } from '#language/program/types.ts';

/** Returns the type that a source gives a column, with the reading of its texts; undefined if the host has not looked at a source of types. */
export function sourceType(bind: Bind, schema: SourceSchema | undefined, position: number): Type | undefined {
    const { type, texts } = schema?.columns[position] ?? {};
    if (schema === undefined || texts === undefined) return type;
    if (type?.kind === 'string') return sourceText(bind, schema, position);
    if (type?.kind !== 'mixed' || texts.mixed === undefined) return type;
    return { kind: 'mixed', numbers: columnOf(bind, schema, position, texts.mixed), hasNumbers: true };
}

/**
 * Returns the type of a column of a source without types: text, with the reading that its texts show. `schema` is undefined if the host has
 * not looked.
 */
export function sourceText(bind: Bind, schema: SourceSchema | undefined, position: number): StringType {
    const { type, texts } = schema?.columns[position] ?? {};
    if (schema === undefined || texts === undefined) return { kind: 'string' };
    const { misordered, empty, records, number } = texts;
    const forms = type === undefined ? texts.forms : undefined;
    const reading = forms === undefined ? readingOf(texts) : 'number';
    // An empty text of a source with types is meant, and one that the bind takes for unknown is none.
    const isEmpty = type === undefined && empty > 0 && bind.options.get('nullString') !== '';
    return {
        kind: 'string',
        ...(reading !== undefined && { reading }),
        ...(number !== undefined && { numbers: columnOf(bind, schema, position, [number, printString(number)]) }),
        ...(misordered !== undefined && { misordered: { ...columnOf(bind, schema, position, misordered), ...(forms && { forms }) } }),
        ...(isEmpty && { empty: columnOf(bind, schema, position, [String(empty), String(records)]) }),
    };
}

function columnOf({ predicate }: Bind, schema: SourceSchema, position: number, evidence: readonly [string, string]): SourceColumn {
    const name = schema.columns[position]?.name ?? String(position + 1);
    return { predicate, position, name, evidence, model: modelOf(predicate, schema) };
}

function readingOf({ seems, days, sign }: ColumnTexts): TextReading | undefined {
    if (sign !== undefined) return `amount ${sign}`;
    if (seems !== undefined && isNumeric({ kind: seems })) return 'number';
    if (days === undefined) return undefined;
    return days.length === 0 ? 'days' : `day ${days.join('|')}`;
}

/** A column without a header is called by its number, from zero on. */
function modelOf(predicate: string, { columns }: SourceSchema): SourceColumn['model'] {
    const fields = columns.map((column, i) => ({ name: column.name ?? `c${i}`, type: fieldType(column) }));
    const needsNulls = columns.some(
        ({ type, texts }) => type === undefined && texts !== undefined && texts.empty > 0 && (texts.seems ?? 'string') !== 'string',
    );
    return { text: writeModel(predicate, fields), needsNulls };
}

/** Chooses a type for the model of a column that loses no value. */
function fieldType({ type, texts }: SourceSchema['columns'][number]): string {
    switch (type?.kind) {
        case undefined:
        case 'string':
        case 'mixed':
            return texts?.forms ? 'double' : (texts?.seems ?? 'string');
        case 'unknown':
        case 'struct':
        case 'map':
            return 'string';
        default:
            return type === undefined ? 'string' : printType(type);
    }
}
