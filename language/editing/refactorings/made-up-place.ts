import { changedText } from '#language/document/text-change.ts';
import type { TextEdit } from '../format-edits.ts';

/** Line and character, zero-based, in UTF-16 units. */
export interface LinePlace {
    readonly line: number;
    readonly character: number;
}

/** Finds the first place of a name that some edits write, in the text after all of them. */
export function madeUpPlace(text: string, edits: readonly TextEdit[], name: string): LinePlace | undefined {
    const sorted = [...edits].sort((a, b) => a.start - b.start);
    let before = text;
    let shift = 0;
    for (const { start, end, text: added } of sorted) {
        const at = added.indexOf(name);
        before = changedText(before, { start: start + shift, end: end + shift, text: added });
        if (at >= 0) return lastPlace(before.slice(0, start + shift + at));
        shift += added.length - (end - start);
    }
    return undefined;
}

function lastPlace(text: string): LinePlace {
    const lines = text.split(/\r\n|\r|\n/u);
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
