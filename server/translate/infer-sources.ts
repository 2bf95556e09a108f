import { RunStopped } from '#engine/reports/reports.ts';
import { isNumber, kindOfText, type TextKind } from '#engine/sources/csv-columns.ts';
import { isHeaded } from '#language/library/connected-sources.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { say } from '#language/program/say.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { hostText } from '#server/protocol/host-grant.ts';
import { EXIT, type Streams } from '#server/protocol/jobs.ts';
import { sayNotice } from '#server/remote/refusal.ts';
import { standardTerminal, type Terminal } from '#server/remote/terminal.ts';
import { type InferredTable, inferredProgram } from '#server/sources/inferred-program.ts';
import { bindAt } from '#server/sources/program-place.ts';
import { printBind, type SourceBind, withPlainFlags } from '#server/sources/source-bind.ts';
import type { ColumnType, FoundColumn } from '#server/sources/surveys/found-table.ts';
import type { SourceDescription, Survey } from '#server/sources/surveys/source-description.ts';
import { survey } from '#server/sources/surveys/survey.ts';

/** A call of `rulelang infer`. */
export interface Inference {
    readonly sources: readonly InferredSource[];
    readonly addModel: boolean;
    /** The folder of the program, from which it names files below it. */
    readonly folder: string;
}

export interface InferredSource {
    /** Its name on the command line. */
    readonly name: string;
    readonly type: string;
    readonly description: SourceDescription;
    /** The variable of the environment with its password. */
    readonly secret?: string;
}

/** Prints a program that reads all tables of the sources, and remarks about them on standard error; gives the exit code. */
export async function inferSources({ sources, addModel, folder }: Inference, streams: Streams): Promise<number> {
    const terminal = standardTerminal(streams);
    try {
        const tables: (readonly InferredTable[])[] = [];
        for (const source of sources) tables.push(await tablesOf(source, folder, terminal));
        terminal.print(inferredProgram(tables, { addBind: true, addModel, addOutput: true }));
        sayGrants(sources, terminal);
        return EXIT.fine;
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        // The source stands in no program.
        const { place: _, ...notice } = reportNotice(error.report);
        sayNotice(notice, terminal);
        return EXIT.failed;
    }
}

async function tablesOf(source: InferredSource, folder: string, terminal: Terminal): Promise<readonly InferredTable[]> {
    const { tables } = await headedSurvey(source, folder, terminal);
    const { secret } = source;
    return tables.map(({ name, columns, foreignKeys, bind }) => {
        const own: SourceBind = withPlainFlags(bindAt(bind, folder, { folder }));
        return {
            name,
            columns,
            foreignKeys,
            rowsOf: predicate => printBind(predicate, { ...own, ...(secret !== undefined && { secret }) }),
        };
    });
}

/** Looks at a source; a file whose first row is like those below it has no names of columns. */
async function headedSurvey({ name, type, description }: InferredSource, currentFolder: string, terminal: Terminal): Promise<Survey> {
    const folders = { read: [currentFolder, description.host], write: [], denied: [] };
    const ask = (source: SourceDescription) => survey({ type, source, counts: false, marksUnknown: true, currentFolder, folders });
    const found = await ask(description);
    const { options = {} } = description;
    const fileType = dataSourceNamed(type)?.type ?? type;
    if (!isHeaded(fileType) || options.useHeaders !== undefined || !found.tables.some(({ columns }) => areValues(columns))) return found;
    terminal.say(
        say`rulelang infer: the first row of '${name}' looks like the others, not like names of columns; if it has names, give --option useHeaders=true\n`,
    );
    return ask({ ...description, options: { ...options, useHeaders: 'false' } });
}

/** Whether the names of columns are values as the columns have, such as `9` of one with numbers. Years may be names. */
function areValues(columns: readonly FoundColumn[]): boolean {
    const typed = columns.filter(({ type }) => type !== 'STRING');
    const areYears = typed.length > 1 && typed.every(({ name }) => /^(?:19|20)\d\d$/u.test(name.trim()));
    return typed.length > 0 && !areYears && typed.every(({ name, type }) => fits(kindOfText(name.trim(), undefined), type));
}

function fits(kind: TextKind, type: ColumnType): boolean {
    if (kind === 'string') return false;
    if (isNumber(kind)) return type === 'INT' || type === 'DOUBLE';
    return type === (kind === 'boolean' ? 'BOOLEAN' : 'DATE');
}

/** Says which options a run of the program needs. */
function sayGrants(sources: readonly InferredSource[], { say: tell }: Terminal): void {
    const options = sources.flatMap(({ description: { host, port = 0 }, type, secret }) => {
        const isRemote = dataSourceNamed(type)?.isFile !== true && dataSourceNamed(type)?.type !== 'sqlite';
        return [
            ...(isRemote ? [`--allow-net ${hostText({ host, ...(port > 0 && { port }) })}`] : []),
            ...(secret === undefined ? [] : [`--secret ${secret}`]),
        ];
    });
    if (options.length > 0) tell(say`rulelang infer: a run of this program needs ${[...new Set(options)].join(' ')}\n`);
}
