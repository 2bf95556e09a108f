import { cellProgram } from './notebook-program.ts';

/** A cell of code in an editor. */
export interface EditedCell {
    readonly language: string;
    readonly text: string;
}

/** The lines of a cell in the program of its notebook: its first line, and their number. */
export interface CellLines {
    readonly first: number;
    readonly count: number;
}

export interface JoinedCells {
    readonly text: string;
    readonly cells: readonly CellLines[];
}

/** The cells of a notebook as one program: each has its lines, and one behind them. */
export function joinedCells(cells: readonly EditedCell[]): JoinedCells {
    const lines: string[] = [];
    const places = cells.map(cell => {
        const first = lines.length;
        const program = joinedCell(cell);
        for (const line of program) lines.push(line);
        return { first, count: program.length - 1 };
    });
    return { text: lines.map(line => `${line}\n`).join(''), cells: places };
}

/** The lines of a cell in the program of its notebook. */
export function joinedCell({ language, text }: EditedCell): readonly string[] {
    const { lines, end } = cellProgram(language, text.split(/\r\n|\r|\n/u));
    return [...lines, end];
}

/** The cell to which a line belongs; the line behind a cell is its own. */
export function cellAt(cells: readonly CellLines[], line: number): number | undefined {
    const found = cells.findIndex(({ first, count }) => first <= line && line <= first + count);
    return found === -1 ? undefined : found;
}
