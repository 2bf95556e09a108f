import type { Cell } from '#server/protocol/runs.ts';

/** Characters of a value that there is room for in an example of a row. */
const WIDEST = 40;

/** A value in an example of a row: one line, cut where it is long. */
export function cellText(cell: Cell): string {
    const text = typeof cell === 'string' ? cell : 'null' in cell ? (cell.missing ? '—' : cell.null) : `${cell.text}…`;
    const characters = [...text.replace(/\s+/gu, ' ')];
    return characters.length > WIDEST ? `${characters.slice(0, WIDEST).join('')}…` : characters.join('');
}
