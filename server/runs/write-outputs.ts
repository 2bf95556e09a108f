import { stopAtLimit } from '#engine/limit-reached.ts';
import { RunStopped, stop } from '#engine/reports.ts';
import type { Listing } from '#engine/results/listing.ts';
import type { ChangedRows, Connectors, OutputRows, Sink } from '#engine/sources/source.ts';
import type { AnalysedProgram, Bind, KeyedWrite } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { visible } from '#server/notices/visible-text.ts';
import type { RunHost } from './prepare-run.ts';

/** Rows, and the bind that says where they go. */
export interface Writing {
    readonly bind: Bind;
    readonly rows: OutputRows;
    /** A description of the rows, in words. */
    readonly what: string;
}

/** Ends the run with RT032 if it was stopped, and with RT031 if it is late. */
export function checkpointOf({ cancelled }: Pick<RunHost, 'cancelled'>, isLate: () => boolean = () => false): () => void {
    return () => {
        const reason = cancelled();
        if (reason !== undefined) stop('RT032', {}, reason);
        if (isLate()) stopAtLimit('time', 0, undefined);
    };
}

/** The outputs that have binds. */
export function outputWritings(listings: readonly Listing[], { predicates }: AnalysedProgram): Writing[] {
    return listings.flatMap(listing =>
        (predicates.get(listing.predicate)?.outputBinds ?? []).map(bind => ({ bind, rows: listing, what: `'${listing.name}'` })),
    );
}

function changedWords({ kind }: KeyedWrite, { changed }: ChangedRows): string {
    const isOne = changed === 1;
    if (kind === 'delete') return isOne ? say`1 row deleted` : say`${countText(changed)} rows deleted`;
    return isOne ? say`1 row updated` : say`${countText(changed)} rows updated`;
}

/**
 * Writes rows to their targets: first all of them beside their targets, then each into its place. Names what it
 * wrote. A failure or a stop before the second step leaves every target as it was.
 */
export async function writeOutputs(
    writings: readonly Writing[],
    connectors: Connectors,
    { send, say: tell }: Pick<RunHost, 'send' | 'say'>,
    checkpoint: () => void,
): Promise<string[]> {
    const sinks: { readonly sink: Sink; written: string }[] = [];
    const kept = new Set<Sink>();
    const done: string[] = [];
    try {
        for (const { bind, rows, what } of writings) {
            const sink =
                connectors.sink(bind) ??
                stop('RT061', { location: { place: bind.place, span: bind.annotation.span } }, bind.type, bind.kind);
            const target = { sink, written: visible(say`${what} to ${sink.name}`) };
            sinks.push(target);
            send({ kind: 'progress', progress: { phase: 'writing', stratum: 0, strata: 0, round: 0, facts: rows.count } });
            const outcome = await sink.write(rows, checkpoint);
            if (outcome === 'kept') kept.add(sink);
            else if (outcome && bind.keyed) target.written += ` (${changedWords(bind.keyed, outcome)})`;
        }
        checkpoint();
        for (const { sink, written } of sinks) {
            await sink.commit();
            if (!kept.has(sink)) done.push(written);
        }
        for (const { name } of kept) tell?.(`${visible(say`'${name}' is there already, and saveMode=ignore keeps it as it is`)}\n`);
        return done;
    } catch (error) {
        for (const { sink } of sinks) await sink.discard();
        if (error instanceof RunStopped)
            tell?.(
                done.length === 0
                    ? say`Nothing was written; every output file is as it was.\n`
                    : say`Wrote ${done.join(', ')}, but not the rest.\n`,
            );
        throw error;
    }
}
