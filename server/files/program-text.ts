import { formatText } from '#language/editing/format-edits.ts';
import { isNotebook } from '#language/program/notebook-files.ts';
import { notebookProgram } from '#server/protocol/notebooks/notebook-program.ts';
import { readNotebook, writeNotebook } from '#server/protocol/notebooks/notebook-text.ts';
import { type NamedText, readNamedText } from './named-text.ts';

/** Reads the program that a file holds; RT064 where it cannot be read. */
export function readProgramText(file: string): NamedText {
    const read = readNamedText(file);
    return { ...read, text: programText(file, read.text) };
}

/** The program that the text of a file is; of a notebook, the program of its cells, in which each character has the place that it has in the file. */
export function programText(file: string, text: string): string {
    return isNotebook(file) ? notebookProgram(text) : text;
}

/** The text of a file with its rules laid out in the usual form. */
export function formattedText(file: string, text: string): string {
    if (!isNotebook(file)) return formatText(text);
    const { cells, form } = readNotebook(text);
    const formatted = cells.map(cell =>
        cell.language === 'rulelang' ? { ...cell, text: formatText(cell.text).replace(/\n$/u, '') } : cell,
    );
    return writeNotebook({ cells: formatted, form });
}
