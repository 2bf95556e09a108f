import { type Cell, cellText } from '#server/protocol/runs.ts';

/** Characters of a value that there is room for in an example of a row. */
const WIDEST = 40;

/** A value in an example of a row: one line, cut where it is long. */
export function cellExample(cell: Cell): string {
    const characters = [...cellText(cell).replace(/\s+/gu, ' ')];
    return characters.length > WIDEST ? `${characters.slice(0, WIDEST).join('')}…` : characters.join('');
}
