import { cellPredicates } from '#language/editing/cell-predicates.ts';
import { isNotebook } from '#language/program/notebook-files.ts';
import type { Program } from '#language/program/program.ts';
import { blocksOf } from '#server/protocol/notebooks/notebook-blocks.ts';
import { linesOf } from '#server/protocol/notebooks/notebook-text.ts';
import type { LoadedProgram } from './load-program.ts';

/** A program that shows these predicates too, and of a notebook without outputs, whatever its cells show. */
export function withCellOutputs(loaded: LoadedProgram, further: readonly string[] = []): LoadedProgram {
    const { file, program, source } = loaded;
    const all = { start: 0, end: source.text.length };
    const isShown = isNotebook(file) && program.outputs.length === 0;
    const names = isShown ? cellPredicates(program, all) : further;
    if (names.length === 0) return loaded;
    const keys = names.flatMap(name => [...program.predicates.values()].filter(predicate => predicate.name === name).map(({ key }) => key));
    return { ...loaded, program: { ...program, outputs: [...new Set([...program.outputs, ...keys])] } };
}

/** The predicates that each cell of a notebook shows. */
export function shownByCells(program: Program, notebook: string): readonly (readonly string[])[] {
    const { lines, mark, lineBreak } = linesOf(notebook);
    const starts = [mark.length];
    for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + lineBreak.length);
    return blocksOf(lines).map(({ textFrom, textTo }) =>
        cellPredicates({ program }, { start: starts[textFrom] ?? 0, end: starts[textTo] ?? 0 }),
    );
}
