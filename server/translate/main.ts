import { RunStopped } from '#engine/reports/reports.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { readProgramText } from '#server/files/program-text.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { offsetAt, sourceText } from '#server/notices/source-texts.ts';
import { type Access, EXIT, type Streams } from '#server/protocol/jobs.ts';
import { sayNotice } from '#server/remote/refusal.ts';
import { standardTerminal } from '#server/remote/terminal.ts';
import { fileSource } from '#server/runs/file-source.ts';
import { loadProgram } from '#server/runs/load-program.ts';
import { editorTranslation } from './editor-translation.ts';

export { inferSources } from './infer-sources.ts';

/** A call of `rulelang translate` that needs no service. */
export interface FileTranslation extends Access {
    readonly kind: 'sql' | 'rdf' | 'owl';
    /** The text; `-` is standard input. */
    readonly file: string;
    /** The wanted name of the query's rows. */
    readonly name: string;
    /** A program that has the tables of the query. */
    readonly program?: string;
}

/** Prints a text as rules, and on standard error what no rules are written for, at its places; gives the exit code. */
export async function translateFile(request: FileTranslation, streams: Streams): Promise<number> {
    const terminal = standardTerminal(streams);
    try {
        const { text } = readNamedText(request.file);
        const predicates = request.program === undefined ? [] : await predicatesIn(request.program, request);
        const known = predicates.filter(({ columns }) => columns.length > 0);
        const answer = editorTranslation({ ...request, text }, known, new Set(predicates.map(({ name }) => name)));
        const isRefused = answer.kind === 'refused';
        const source = sourceText(text);
        for (const { message, range } of isRefused ? answer.problems : answer.unmapped)
            sayNotice(
                {
                    severity: isRefused ? 'error' : 'warning',
                    code: isRefused ? `${request.kind}_invalid` : 'not_translated',
                    message,
                    place: { file: request.file, start: offsetAt(source, range.start), end: offsetAt(source, range.end) },
                    related: [],
                },
                terminal,
                [request.file, source],
            );
        if (isRefused) return EXIT.failed;
        terminal.print(answer.program.replace(/\n*$/u, '\n'));
        return EXIT.fine;
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        sayNotice(reportNotice(error.report), terminal);
        return EXIT.failed;
    }
}

/** The predicates of a program with the columns that its sources show. */
async function predicatesIn(
    file: string,
    access: Access,
): Promise<readonly { readonly name: string; readonly columns: readonly string[] }[]> {
    const { program } = await loadProgram(fileSource(readProgramText(file).text, file, access, new Map()));
    return Array.from(program.predicates.values(), ({ name, columns }) => ({ name, columns: columns.map(column => column.name) }));
}
