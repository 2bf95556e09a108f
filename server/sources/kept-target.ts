import { resolve } from 'node:path';
import { type ReportContext, RunStopped, report } from '#engine/reports.ts';
import type { OutputRows } from '#engine/sources/source.ts';
import type { Bind, SourceSchema, SourceTable } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { shownPath } from '#server/files/shown-path.ts';
import { withDefaults } from './bind-defaults.ts';
import { type Connector, type MaybePromise, MOST_COUNTED, type SourceAccess, type TriedSink } from './connector.ts';

/** Types whose files have no columns of their own, however they are read. */
const WITHOUT_COLUMNS: ReadonlySet<string> = new Set(['text']);

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
 * reads, a table that has rows, a file with other columns than the rows (9.5, D-70).
 */
export function keptUnasked(sink: TriedSink, written: Written): TriedSink {
    const { bind, access } = written;
    const { grants } = access;
    if (!grants.keepsTargets || bind.keyed !== undefined || withDefaults(bind, grants.defaults).options.has('saveMode')) return sink;
    const requireNone = (reason: string | undefined): void => {
        if (reason === undefined) return;
        const file = written.connector.path?.(bind, access);
        const path = file ?? sink.name;
        if (grants.writeFiles?.some(named => named === path || resolve(access.currentFolder, named) === path)) return;
        const grant = file && grants.grantFile?.(shownPath(file, access.currentFolder));
        throw new KeptTarget(path, contextOf(bind, grant), sink.name, reason);
    };
    return {
        ...sink,
        // Before anything is evaluated, as far as it shows then.
        try: async () => {
            await sink.try();
            requireNone(await filledTable(written));
        },
        write: async (rows, checkpoint) => {
            requireNone(
                written.isRead()
                    ? say`this run reads it`
                    : ((await filledTable(written)) ?? (await otherColumns(rows, sink.name, written))),
            );
            await sink.write(rows, checkpoint);
        },
    };
}

function contextOf({ place, annotation }: Bind, grant: string | undefined): ReportContext {
    const location = { place, span: annotation.span };
    if (grant === undefined) return { location };
    const remedy = say`Write saveMode=overwrite into the bind to replace it, saveMode=append to add the rows to it, or ${grant}.`;
    return { location, remedy };
}

/** Throws where a table that is there cannot be counted: it might have rows. */
async function filledTable({ bind, access, connector }: Written): Promise<string | undefined> {
    let count: number;
    try {
        count = (await connector.rows?.(bind, access)) ?? 0;
    } catch (error) {
        if (!(error instanceof RunStopped) || error.report.isAbsent !== true) throw error;
        return undefined;
    }
    if (count === 0) return undefined;
    if (count > MOST_COUNTED) return say`it has more than ${countText(MOST_COUNTED)} rows`;
    return count === 1 ? say`it has 1 row` : say`it has ${countText(count)} rows`;
}

async function otherColumns({ columns }: OutputRows, target: string, { bind, access, connector }: Written): Promise<string | undefined> {
    if (connector.rows !== undefined || WITHOUT_COLUMNS.has(bind.type)) return undefined;
    const { grants } = access;
    const asSource = { ...bind, direction: 'input' } as const;
    const readable = { ...access, grants: { ...grants, readRoots: grants.writeRoots } };
    let held: SourceSchema | undefined;
    try {
        held = await connector.columns(asSource, readable, 0);
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        const isNew = error.report.isAbsent || (await isNewSheet(target, () => connector.tables?.(asSource, readable)));
        return isNew ? undefined : say`it cannot be read as ${bind.type}`;
    }
    if (held === undefined || held.columns.length === 0) return undefined;
    const given = columns.map(({ name }) => name);
    return isSame(held, given) ? undefined : say`its columns are ${listed(held)}, and those of '${bind.predicate}' are ${given.join(', ')}`;
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
function isSame({ columns }: SourceSchema, given: readonly string[]): boolean {
    const names = columns.flatMap(({ name }) => name ?? []);
    if (columns.length !== given.length) return false;
    return names.length < columns.length || given.every(name => names.includes(name));
}

const listed = ({ columns }: SourceSchema): string => columns.map(({ name }, at) => name ?? say`column ${at + 1}`).join(', ');
