import { RunStopped, stop } from '#engine/reports.ts';
import type { Listing } from '#engine/results/listing.ts';
import type { Connectors, Sink } from '#engine/sources/source.ts';
import { visible } from '#server/terminal/visible-text.ts';
import type { JobContext } from './job-context.ts';
import type { LoadedProgram } from './load-program.ts';

/**
 * Writes the outputs that have binds: first all of them beside their targets, then each into its place. Names what it
 * wrote. A failure or a stop before the second step leaves every target as it was.
 */
export async function writeOutputs(
    listings: readonly Listing[],
    { program }: Pick<LoadedProgram, 'program'>,
    connectors: Connectors,
    context: Pick<JobContext, 'cancelled' | 'send' | 'say'>,
): Promise<string[]> {
    const sinks: { readonly sink: Sink; readonly words: string }[] = [];
    const checkpoint = (): void => {
        const reason = context.cancelled();
        if (reason !== undefined) stop('RT032', {}, reason);
    };
    const done: string[] = [];
    try {
        for (const listing of listings) {
            for (const bind of program.predicates.get(listing.predicate)?.outputBinds ?? []) {
                const sink =
                    connectors.sink(bind) ?? stop('RT061', { location: { place: bind.place, span: bind.annotation.span } }, bind.type, bind.kind);
                sinks.push({ sink, words: visible(`'${listing.name}' to ${sink.name}`) });
                context.send({ kind: 'progress', phase: 'writing', stratum: 0, strata: 0, round: 0, facts: listing.count });
                await sink.write(listing, checkpoint);
            }
        }
        checkpoint();
        for (const { sink, words } of sinks) {
            await sink.commit();
            done.push(words);
        }
        return done;
    } catch (error) {
        for (const { sink } of sinks) await sink.discard();
        if (error instanceof RunStopped)
            context.say(
                done.length === 0
                    ? 'Nothing was written; every output file is as it was.\n'
                    : `Wrote ${done.join(', ')}, but not the rest.\n`,
            );
        throw error;
    }
}
