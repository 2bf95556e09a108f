import { isMembers } from './cell-places.ts';
import type { OpenCell } from './open-notebooks.ts';

/** Numbers of one token: lines and characters from the one before, length, type, modifiers. */
const NUMBERS = 5;

/** The semantic tokens of a program that stand in a cell, counted from its first line. */
export function tokensOfCell(result: unknown, { first, count }: OpenCell): unknown {
    const data = isMembers(result) ? result.data : undefined;
    if (!Array.isArray(data)) return result;
    const tokens: number[] = [];
    let [line, last] = [0, first];
    for (let i = 0; i < data.length; i += NUMBERS) {
        line += data[i];
        if (line < first) continue;
        if (line >= first + count) break;
        const isFirst = tokens.length === 0;
        tokens.push(line - last, ...data.slice(i + 1, i + NUMBERS));
        if (isFirst && line === first) tokens[0] = 0;
        last = line;
    }
    return { data: tokens };
}
