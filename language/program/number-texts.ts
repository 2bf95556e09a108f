import type { SourceColumn, Type } from './types.ts';

/** All values of the type are texts that read as numbers. */
export function areNumberTexts(type: Type): boolean {
    return type.kind === 'string' && type.areNumbers === true;
}

/** The column of numbers that are in another order as texts, where all values of the type come from such. */
export function misorderedColumn(type: Type): SourceColumn | undefined {
    return type.kind === 'string' && type.areNumbers === true ? type.misordered : undefined;
}

export function isNumberText(text: string): boolean {
    return text.trim() !== '' && Number.isFinite(Number(text));
}
