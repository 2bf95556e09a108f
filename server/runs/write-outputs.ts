import { stopAtLimit } from '#engine/reports/limit-reached.ts';
import { RunStopped, stop } from '#engine/reports/reports.ts';
import type { Listing } from '#engine/results/listing.ts';
import type { Connectors, OutputRows, Sink, WriteOutcome } from '#engine/sources/source.ts';
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

function changedWords({ kind }: KeyedWrite, changed: number): string {
    const isOne = changed === 1;
    if (kind === 'delete') return isOne ? say`1 row deleted` : say`${countText(changed)} rows deleted`;
    return isOne ? say`1 row updated` : say`${countText(changed)} rows updated`;
}

/** A target of a run, and what became of it. */
interface Target {
    readonly sink: Sink;
    /** The rows and the name of the target, in words. */
    written: string;
    outcome: WriteOutcome;
}

/** Sentences without their end that name the targets written, then those replaced. */
function doneSentences(done: readonly Target[]): string[] {
    const named = (isReplaced: boolean): string =>
        done
            .filter(({ outcome }) => (outcome === 'replaced') === isReplaced)
            .map(({ written }) => written)
            .join(', ');
    const [written, replaced] = [named(false), named(true)];
    return [...(written === '' ? [] : [say`Wrote ${written}`]), ...(replaced === '' ? [] : [say`Replaced ${replaced}`])];
}

/**
 * Writes rows to their targets: first all of them beside their targets, then each into its place. Returns sentences
 * that name what it wrote and replaced. A failure or a stop before the second step leaves every target as it was.
 */
export async function writeOutputs(
    writings: readonly Writing[],
    connectors: Connectors,
    { send, say: tell }: Pick<RunHost, 'send' | 'say'>,
    checkpoint: () => void,
): Promise<string[]> {
    const targets: Target[] = [];
    const done: Target[] = [];
    try {
        for (const { bind, rows, what } of writings) {
            const sink =
                connectors.sink(bind) ??
                stop('RT061', { location: { place: bind.place, span: bind.annotation.span } }, bind.type, bind.kind);
            const target: Target = { sink, written: visible(say`${what} to ${sink.name}`), outcome: undefined };
            targets.push(target);
            send({ kind: 'progress', progress: { phase: 'writing', stratum: 0, strata: 0, round: 0, facts: rows.count } });
            const outcome = await sink.write(rows, checkpoint);
            target.outcome = outcome;
            if (outcome === 'replaced') target.written = visible(say`${sink.name} with ${what}`);
            else if (typeof outcome === 'object' && bind.keyed) target.written += ` (${changedWords(bind.keyed, outcome.changed)})`;
        }
        checkpoint();
        for (const target of targets) {
            await target.sink.commit();
            if (target.outcome !== 'kept') done.push(target);
        }
        for (const { sink, outcome } of targets) {
            if (outcome !== 'kept') continue;
            tell?.(`${visible(say`'${sink.name}' is there already, and saveMode=ignore keeps it as it is`)}\n`);
        }
        return doneSentences(done);
    } catch (error) {
        for (const { sink } of targets) await sink.discard();
        if (error instanceof RunStopped)
            tell?.(
                done.length === 0
                    ? say`Nothing was written; every output file is as it was.\n`
                    : `${[...doneSentences(done), say`The rest was not written.`].join('. ')}\n`,
            );
        throw error;
    }
}
