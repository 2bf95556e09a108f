import { counted, countedMatches, countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { AtomFigures } from '#server/protocol/run-process.ts';

/** `4,000 rows`, where its rule begins with an atom; `4,000 → 12`, where matches came to it and some went on. */
export function figuresText({ read, from, to = 0 }: AtomFigures): string {
    const rows = read === undefined ? [] : [counted(read, 'row')];
    return (from === undefined ? rows : [...rows, `${countText(from)} → ${countText(to)}`]).join(', ');
}

/** The same as a sentence. */
export function figuresSentence({ read = 0, from, to = 0 }: AtomFigures): string {
    return from === undefined
        ? say`The last profiled run began the rule with ${counted(read, 'row')} of this atom`
        : say`In the last profiled run ${countedMatches(from)} came to this atom, and ${countedMatches(to)} went on`;
}
