import { resolve } from 'node:path';
import { type ReportContext, RunStopped, report } from '#engine/reports/reports.ts';
import type { HeldTarget } from '#language/analysis/program-facts.ts';
import type { Bind, SourceSchema, SourceTable } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { accessContext } from '#server/files/open-granted.ts';
import { shownPath } from '#server/files/shown-path.ts';
import { isGrantedByName } from '#server/files/write-granted.ts';
import { withDefaults } from './bind-defaults.ts';
import { type Connector, type MaybePromise, MOST_COUNTED, type SourceAccess, type TriedSink } from './connector.ts';
import { MOST_COMPARED, unlikeValues, type WrittenColumn, writtenColumns } from './unlike-values.ts';

/** Types whose files have no columns of their own, however they are read. */
const WITHOUT_COLUMNS: ReadonlySet<string> = new Set(['text']);

/** Types to whose files rows are only added in the order of the columns (9.5). */
const ORDERED: ReadonlySet<string> = new Set(['csv', 'parquet']);

interface Written {
    readonly bind: Bind;
    readonly access: SourceAccess;
    readonly connector: Connector;
    /** Whether the run has read the target. */
    readonly isRead: () => boolean;
}

/** The run may only replace the target once the user has named it. */
export class KeptTarget extends RunStopped {
    readonly path: string;
    readonly reason: string;

    constructor(path: string, context: ReportContext, shown: string, reason: string) {
        super(report('RT067', context, shown, reason));
        this.path = path;
        this.reason = reason;
    }
}

/**
 * The sink, which ends the run with RT067 instead of replacing what the user may want to keep where the bind has no `saveMode`: what the run
 * reads, a table that has rows, a file that does not look as if a run with these columns had written it (9.5, D-70).
 */
export function keptUnasked(sink: TriedSink, written: Written): TriedSink {
    const { bind, access } = written;
    if (saysWhatBecomes(written)) return sink;
    const requireNone = (reason: string | undefined): void => {
        if (reason === undefined || isNamed(sink.name, written)) return;
        const file = written.connector.path?.(bind, access);
        const grant = file && access.grants.grantFile?.(shownPath(file, access.currentFolder));
        throw new KeptTarget(file ?? sink.name, contextOf(bind, grant), sink.name, reason);
    };
    return {
        ...sink,
        // Before anything is evaluated, as far as it shows then.
        try: async () => {
            await sink.try();
            requireNone((await filledTable(sink.name, written))?.reason);
        },
        write: async (rows, checkpoint) => {
            requireNone((await heldBy(sink.name, written, writtenColumns(rows)))?.reason);
            return sink.write(rows, checkpoint);
        },
    };
}

/** What a target holds that a run of these columns would replace, or keep; undefined where it holds nothing, or that does not show. */
export async function heldTarget(name: string, written: Written, columns: readonly WrittenColumn[]): Promise<HeldTarget | undefined> {
    if (saysWhatBecomes(written)) return undefined;
    const held = await heldBy(name, written, columns);
    return held === undefined || !isNamed(name, written) ? held : { name };
}

function saysWhatBecomes({ bind, access: { grants } }: Written): boolean {
    return !grants.keepsTargets || bind.keyed !== undefined || withDefaults(bind, grants.defaults).options.has('saveMode');
}

/** Whether the user has named the target as one that is written. */
function isNamed(name: string, { bind, access, connector }: Written): boolean {
    const { grants, currentFolder, files } = access;
    const named = grants.writeFiles ?? [];
    const file = connector.path?.(bind, access);
    if (file === undefined) return named.includes(name);
    const writeFiles = named.map(path => resolve(currentFolder, path));
    return isGrantedByName(file, accessContext({ ...grants, writeFiles }, {}, files));
}

async function heldBy(name: string, written: Written, columns: readonly WrittenColumn[]): Promise<HeldTarget | undefined> {
    if (written.isRead()) return { name, reason: say`this run reads it` };
    return written.connector.rows === undefined ? heldFile(name, written, columns) : filledTable(name, written);
}

function contextOf({ place, annotation }: Bind, grant: string | undefined): ReportContext {
    const location = { place, span: annotation.span };
    if (grant === undefined) return { location };
    const remedy = say`Write saveMode=overwrite into the bind to replace it, saveMode=append to add the rows to it, or ${grant}.`;
    return { location, remedy };
}

/** Throws where a table that is there cannot be counted: it might have rows. */
async function filledTable(name: string, { bind, access, connector }: Written): Promise<HeldTarget | undefined> {
    let count: number;
    try {
        count = (await connector.rows?.(bind, access)) ?? 0;
    } catch (error) {
        if (!(error instanceof RunStopped) || error.report.isAbsent !== true) throw error;
        return undefined;
    }
    if (count === 0) return undefined;
    if (count > MOST_COUNTED) return { name, reason: say`it has more than ${countText(MOST_COUNTED)} rows` };
    return { name, reason: count === 1 ? say`it has 1 row` : say`it has ${countText(count)} rows` };
}

async function heldFile(
    name: string,
    { bind, access, connector }: Written,
    given: readonly WrittenColumn[],
): Promise<HeldTarget | undefined> {
    const { grants } = access;
    const asSource = { ...bind, direction: 'input' } as const;
    const readable = { ...access, grants: { ...grants, readRoots: grants.writeRoots } };
    let held: SourceSchema | undefined;
    let foreign: string | undefined;
    try {
        held = await connector.columns(asSource, readable, 0);
        foreign = connector.foreign?.(asSource, readable);
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        const isNew = error.report.isAbsent || (await isNewSheet(name, () => connector.tables?.(asSource, readable)));
        // Of files that are not read to their end nothing is known then.
        return isNew || access.files !== undefined ? undefined : { name, reason: say`it cannot be read as ${bind.type}` };
    }
    if (held === undefined || held.columns.length === 0) return undefined;
    if (foreign !== undefined) return { name, reason: foreign };
    if (WITHOUT_COLUMNS.has(bind.type)) return undefined;
    if (held.delimiter !== undefined) return { name, reason: say`its cells are separated by '${held.delimiter.replace('\t', '\\t')}'` };
    const names = given.map(column => column.name);
    if (!isSame(held, names, ORDERED.has(bind.type)))
        return { name, reason: say`its columns are ${listed(held)}, and those of '${bind.predicate}' are ${names.join(', ')}` };
    if (held.columns.every(column => column.name !== undefined)) return { name };
    const values = await connector.columns(asSource, readable, MOST_COMPARED);
    const reason = values && unlikeValues(values, given, bind.predicate);
    return { name, ...(reason !== undefined && { reason }) };
}

/** Whether the target is a sheet of its own, `FILE: SHEET`, that is not among those of the file. */
async function isNewSheet(target: string, sheets: () => MaybePromise<readonly SourceTable[]> | undefined): Promise<boolean> {
    try {
        const names = ((await sheets()) ?? []).map(({ name }) => `: ${name}`.toLowerCase());
        return names.length > 0 && !names.some(name => target.toLowerCase().endsWith(name));
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        return false;
    }
}

/** Columns without names are as many as the others. */
function isSame({ columns }: SourceSchema, given: readonly string[], isOrdered: boolean): boolean {
    const names = columns.flatMap(({ name }) => name ?? []);
    if (columns.length !== given.length) return false;
    return names.length < columns.length || given.every((name, at) => (isOrdered ? names[at] === name : names.includes(name)));
}

const listed = ({ columns }: SourceSchema): string => columns.map(({ name }, at) => name ?? say`column ${at + 1}`).join(', ');
