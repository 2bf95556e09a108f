import type { FoundColumn } from '#server/sources/surveys/found-table.ts';
import type { SourceColumn } from '#server/store/sources.ts';

/** A column of whole numbers may have long ones until a survey has looked. */
export function keptColumn({ name, type, isLong = type === 'INT' }: SourceColumn): FoundColumn {
    return { name, type, ...(isLong && { isLong }) };
}
