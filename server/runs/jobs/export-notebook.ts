import { basename } from 'node:path';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { countText } from '#language/program/count-text.ts';
import { isNotebook } from '#language/program/notebook-files.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { visible } from '#server/notices/visible-text.ts';
import { EXIT, type EXPORT_FORMATS, type ProgramJob, type RunJob } from '#server/protocol/jobs.ts';
import { notebookHtml, type PageOutput } from '#server/protocol/notebooks/notebook-html.ts';
import { notebookProgram } from '#server/protocol/notebooks/notebook-program.ts';
import { notebookRules } from '#server/protocol/notebooks/notebook-rules.ts';
import { readNotebook } from '#server/protocol/notebooks/notebook-text.ts';
import { shownByCells } from '../cell-outputs.ts';
import { cellOf } from '../cells.ts';
import { type Evaluation, evaluateJob } from '../evaluate-job.ts';
import type { JobContext } from '../job-context.ts';
import { outputSummary } from '../output-summary.ts';

/** Prints a notebook as something else. */
export interface ExportJob extends ProgramJob {
    readonly kind: 'export';
    readonly format: (typeof EXPORT_FORMATS)[number];
    /** Rows that are shown of a predicate at most. */
    readonly limit: number;
}

/** Prints a notebook as a program, or as a page with the rows that its cells show. */
export async function exportNotebook(job: ExportJob, context: JobContext): Promise<number> {
    const { file, format, limit } = job;
    if (!isNotebook(file)) {
        context.say(say`rulelang export: '${visible(file)}' is no notebook; the name of one ends in .rulelangnb\n`);
        return EXIT.usage;
    }
    const { text } = readNamedText(file);
    const { cells } = readNotebook(text);
    if (format === 'program') {
        context.print(notebookRules(cells));
        return EXIT.fine;
    }
    const program = notebookProgram(text);
    const shown = shownByCells(readProgram(program, file).value, text);
    const run: RunJob = { ...job, ...AS_PAGE, kind: 'run', text: program, further: [...new Set(shown.flat())] };
    const evaluated = await evaluateJob(run, context, () => undefined);
    if (!evaluated.ok) return evaluated.exitCode;
    const outputs = rowsOf(evaluated, limit);
    const title = basename(file).replace(/\.\w+$/u, '');
    context.print(
        notebookHtml(
            title,
            cells.map((cell, i) => ({ ...cell, outputs: (shown[i] ?? []).flatMap(name => outputs.get(name) ?? []) })),
        ),
    );
    return EXIT.fine;
}

const AS_PAGE = { outputs: [], queries: [], format: 'table', statistics: false, strict: false, unordered: false } as const;

/** The first rows of each output, by the names of the predicates. */
function rowsOf({ outcome: { database } }: Evaluation, limit: number): ReadonlyMap<string, readonly PageOutput[]> {
    const label = nullLabels(database.dictionary);
    const found = new Map<string, PageOutput[]>();
    for (const key of database.program.outputs) {
        const listing = listPredicate(database, key, {});
        const { dictionary, name, count, at, columns } = listing;
        const rows = Math.min(limit, count);
        const cells = Array.from({ length: rows }, (_, row) =>
            columns.map(({ type }, column) => cellOf(dictionary, at(row, column), type, label)),
        );
        const output: PageOutput = {
            kind: 'rows',
            count: countWords(name, rows, count),
            shown: { columns: outputSummary(listing).columns, cells },
        };
        found.set(name, [...(found.get(name) ?? []), output]);
    }
    return found;
}

function countWords(name: string, shown: number, count: number): string {
    if (shown < count) return say`${name}: the first ${countText(shown)} of ${countText(count)} rows`;
    return count === 1 ? say`${name}: 1 row` : say`${name}: ${countText(count)} rows`;
}
