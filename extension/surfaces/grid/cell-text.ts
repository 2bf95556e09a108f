import type { Cell } from '#server/protocol/runs.ts';

/** The text of a cell as it is copied and measured; a cut cell has only its beginning. */
export function cellText(cell: Cell): string {
    if (typeof cell === 'string') return cell;
    return 'null' in cell ? cell.null : cell.text;
}

export function isCut(cell: Cell): boolean {
    return typeof cell !== 'string' && 'text' in cell;
}

export function isNull(cell: Cell): boolean {
    return typeof cell !== 'string' && 'null' in cell;
}

/** A value that the source of a row did not have. */
export function isMissing(cell: Cell): boolean {
    return typeof cell !== 'string' && 'null' in cell && cell.missing === true;
}
