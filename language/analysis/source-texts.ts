import { writeModel } from '#language/library/written-model.ts';
import type { Bind, ColumnTexts, SourceSchema } from '#language/program/analysed-program.ts';
import { isNumeric, type SourceColumn, type StringType, type TextReading } from '#language/program/types.ts';

/**
 * Returns the type of a column of a source without types: text, with the reading that its texts show. `schema` is undefined if the host has
 * not looked.
 */
export function sourceText({ predicate, options }: Bind, schema: SourceSchema | undefined, position: number): StringType {
    const texts = schema?.columns[position]?.texts;
    if (schema === undefined || texts === undefined) return { kind: 'string' };
    const { misordered, empty, records } = texts;
    const reading = readingOf(texts);
    const columnWith = (...evidence: readonly [string, string]): SourceColumn => ({
        predicate,
        position,
        name: schema.columns[position]?.name ?? String(position + 1),
        evidence,
        model: modelOf(predicate, schema),
    });
    // An empty text that the bind takes for unknown is none.
    const isEmpty = empty > 0 && options.get('nullString') !== '';
    return {
        kind: 'string',
        ...(reading !== undefined && { reading }),
        ...(misordered !== undefined && { misordered: columnWith(...misordered) }),
        ...(isEmpty && { empty: columnWith(String(empty), String(records)) }),
    };
}

function readingOf({ seems, days }: ColumnTexts): TextReading | undefined {
    if (seems !== undefined && isNumeric({ kind: seems })) return 'number';
    return days === undefined ? undefined : `day ${days.join(' ')}`;
}

/** A column without a header is called by its number, from zero on. */
function modelOf(predicate: string, { columns }: SourceSchema): SourceColumn['model'] {
    const fields = columns.map(({ name, texts }, i) => ({ name: name ?? `c${i}`, type: texts?.seems ?? 'string' }));
    const needsNulls = columns.some(({ texts }) => texts !== undefined && texts.empty > 0 && (texts.seems ?? 'string') !== 'string');
    return { text: writeModel(predicate, fields), needsNulls };
}
