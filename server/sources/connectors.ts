import { RunStopped, stop } from '#engine/reports/reports.ts';
import type { Connectors } from '#engine/sources/source.ts';
import type { HeldTarget, MissingFile, RefusedBind } from '#language/analysis/program-facts.ts';
import { isConnected, isFileType, isQueried } from '#language/library/connected-sources.ts';
import type { AnalysedProgram, Bind, SourceSchema, SourceTable } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Connector, MaybePromise, SourceAccess, TriedSink } from './connector.ts';
import { CONNECTORS } from './connector-table.ts';
import { heldTarget, keptUnasked } from './kept-target.ts';
import { oneRowPerKey } from './keyed-rows.ts';
import { formattedSink, requireFormat } from './rdf-output.ts';
import type { WrittenColumn } from './unlike-values.ts';

/** Connectors of one run, whose sinks can be tried before it. */
export interface RunConnectors extends Connectors {
    sink(bind: Bind): TriedSink | undefined;
}

export function runConnectors(access: SourceAccess): RunConnectors {
    const targets = new Set<string>();
    const read = new Set<string>();
    return {
        source: bind => {
            for (const name of namesOf(bind, access)) read.add(name);
            return connectorOf(bind)?.source(bind, access);
        },
        sink: bind => {
            const connector = connectorOf(bind);
            const sink = connector?.sink(bind, access);
            if (connector === undefined || sink === undefined) return undefined;
            const isRead = (): boolean => namesOf(bind, access).some(name => read.has(name));
            const kept = keptUnasked(formattedSink(sink, bind, access), { bind, access, connector, isRead });
            return writtenOnce(oneRowPerKey(kept, bind), bind, targets);
        },
    };
}

/** The binds of a program, and where `@chase` and `@explain` write. */
export function verifiedBinds({ binds, provenance }: AnalysedProgram): Bind[] {
    return [...binds, ...provenance.map(({ bind }) => bind)];
}

/** Finds the reason why a run ends at a bind, as far as its text and the grants show it; undefined for none, or for a source that is absent. */
export function refusedBind(bind: Bind, access: SourceAccess): RunStopped | undefined {
    const error = stopOf(() => {
        connectorOf(bind)?.verify(bind, access);
        if (bind.direction === 'output') requireFormat(bind, access);
    });
    return error?.report.isAbsent === true ? undefined : error;
}

/** Returns the unique name of an output bind's target; undefined if the bind does not show it. */
export function targetOf(bind: Bind, access: SourceAccess): string | undefined {
    let name: string | undefined;
    if (bind.direction === 'output')
        stopOf(() => {
            name = connectorOf(bind)?.sink(bind, access).name;
        });
    return name;
}

/**
 * What the target of an output bind holds that a run would replace, or keep and end; undefined where it holds nothing, the bind says what becomes
 * of it, or that does not show. `columns` are those of the output, `read` the names of what input binds read.
 */
export async function heldTargetOf(
    bind: Bind,
    access: SourceAccess,
    { columns, read }: { readonly columns: readonly WrittenColumn[]; readonly read: ReadonlySet<string> },
): Promise<HeldTarget | undefined> {
    const connector = bind.direction === 'output' ? connectorOf(bind) : undefined;
    if (connector === undefined) return undefined;
    return unlessStopped(() => {
        const { name } = connector.sink(bind, access);
        const isRead = (): boolean => namesOf(bind, access).some(own => read.has(own));
        return heldTarget(name, { bind, access, connector, isRead }, columns);
    });
}

/** The names of what a program reads. */
export function readTargets(binds: readonly Bind[], access: SourceAccess): ReadonlySet<string> {
    const inputs = binds.filter(({ direction }) => direction === 'input');
    return new Set(inputs.flatMap(bind => namesOf(bind, access)));
}

/** What a bind reads or writes, by names that tell whether another bind is about the same: as a target, and the paths of files, whatever links lead there. */
function namesOf(bind: Bind, access: SourceAccess): readonly string[] {
    const target = targetOf({ ...bind, direction: 'output' }, access);
    let files: readonly string[] = [];
    stopOf(() => {
        files = connectorOf(bind)?.files?.(bind, access) ?? [];
    });
    return target === undefined ? files : [target, ...files];
}

/** Returns the refusal of a bind whose target an earlier bind writes; enters the target otherwise. */
export function writtenTwice(name: string, bind: Bind, targets: Set<string>): RunStopped | undefined {
    return stopOf(() => requireOnce(name, bind, targets));
}

/** Finds the reason why a run ends at the query of a bind over files; undefined if there is no query or it gives columns. */
export async function refusedQuery(bind: Bind, access: SourceAccess): Promise<RunStopped | undefined> {
    if (!isFileType(bind.type) || bind.direction === 'output' || !bind.options.has('query')) return undefined;
    try {
        await connectorOf(bind)?.columns(bind, access, 0);
        return undefined;
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        return error.report.isAbsent === true ? undefined : error;
    }
}

export function toldRefused({ report: { message, remedy } }: RunStopped): RefusedBind {
    return remedy === undefined ? { reason: message } : { reason: message, remedy };
}

/** The columns of a source, with texts from so many of its records; undefined where it cannot be read, which only a run reports. */
export function peekSource(bind: Bind, access: SourceAccess, records = 0): MaybePromise<SourceSchema | undefined> {
    return unlessStopped(() => connectorOf(bind)?.columns(bind, access, records));
}

/** The tables among which a bind names one; undefined where the source cannot be asked for them. */
export function tablesOfSource(bind: Bind, access: SourceAccess): MaybePromise<readonly SourceTable[] | undefined> {
    return unlessStopped(() => connectorOf(bind)?.tables?.(bind, access));
}

/** Describes an absent source of a bind; undefined if it is there, or may not be looked at. */
export function missingSource(bind: Bind, access: SourceAccess): MaybePromise<MissingFile | undefined> {
    return unlessStopped(() => connectorOf(bind)?.missing(bind, access));
}

/** Returns a stamp that changes with the source of a bind; undefined if it has none or cannot be read. */
export function stampOfSource(bind: Bind, access: SourceAccess): MaybePromise<string | undefined> {
    return unlessStopped(() => connectorOf(bind)?.stamp(bind, access));
}

function connectorOf({ kind, type }: Bind): Connector | undefined {
    if (!isConnected(type) || (kind === 'qbind' && !isQueried(type))) return undefined;
    return CONNECTORS[type];
}

/** The sink, which refuses a target that another bind of the run has written. */
function writtenOnce(sink: TriedSink, bind: Bind, targets: Set<string>): TriedSink {
    return {
        ...sink,
        write: (rows, checkpoint) => {
            requireOnce(sink.name, bind, targets);
            return sink.write(rows, checkpoint);
        },
    };
}

function requireOnce(name: string, { place, annotation }: Bind, targets: Set<string>): void {
    const location = { place, span: annotation.span };
    if (targets.has(name)) stop('RT064', { location }, name, say`is the target of two binds of this program`);
    targets.add(name);
}

function stopOf(work: () => void): RunStopped | undefined {
    try {
        work();
        return undefined;
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        return error;
    }
}

function unlessStopped<T>(look: () => MaybePromise<T | undefined>): MaybePromise<T | undefined> {
    try {
        const found = look();
        return found instanceof Promise ? found.catch(nothingFound) : found;
    } catch (error) {
        return nothingFound(error);
    }
}

function nothingFound(error: unknown): undefined {
    if (!(error instanceof RunStopped)) throw error;
}
