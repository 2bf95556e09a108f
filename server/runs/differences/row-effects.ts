import type { Database } from '#engine/contracts/database.ts';
import { NO_PROVIDERS } from '#engine/contracts/providers.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { RowEffect } from '#server/protocol/run-difference.ts';
import type { RunLimits } from '#server/protocol/run-process.ts';
import type { OutputKey } from '#server/protocol/runs.ts';
import type { ComparedOutput } from '../compare-listings.ts';
import { evaluateLoaded, processHost } from '../evaluate-loaded.ts';
import type { KeptProgram } from '../kept-program.ts';
import type { LoadedProgram } from '../load-program.ts';
import type { MixedProgram } from '../mixed-program.ts';
import { prepareRun } from '../prepare-run.ts';
import type { MadeOf, RunEdit } from '../run-difference.ts';
import { checkpointOf } from '../write-outputs.ts';
import { causesOfRows } from './causes-of-rows.ts';
import { differentFacts } from './different-facts.ts';
import type { Edit } from './edits.ts';

/** One of two runs, and its program over the data of now. */
export interface LoadedRun {
    readonly made: MadeOf & { readonly program: KeptProgram };
    readonly loaded: LoadedProgram;
}

export interface RowEffectsAsked {
    readonly before: LoadedRun;
    readonly after: LoadedRun;
    readonly edits: readonly RunEdit[];
    readonly compared: readonly ComparedOutput[];
    readonly limits: RunLimits;
    load(mixed: MixedProgram): Promise<LoadedProgram | undefined>;
    enough(): boolean;
}

/** Rows of each output at most in an answer. */
const MOST_ROWS = 200;

/** Finds the edits that make the first differing rows of each output, as far as there is time. */
export async function rowEffects(asked: RowEffectsAsked): Promise<ReadonlyMap<OutputKey, readonly RowEffect[]>> {
    const { before, after, edits, compared, load, enough } = asked;
    const shown = compared.map(({ listing }) => listing.predicate);
    const causes = edits.length === 0 || enough() ? [] : await causesOf(asked, shown);
    return new Map(
        compared.map((output, at) => {
            const { predicate } = output.listing;
            const factOf = differentFacts(
                output,
                after.loaded.program.predicates.get(predicate) ?? before.loaded.program.predicates.get(predicate),
            );
            const rows = output.kinds.slice(0, MOST_ROWS).map((change, row): RowEffect => {
                const cause = causes[at]?.[row];
                return { change, fact: factOf(row), edits: [...(cause?.edits ?? [])], smallest: cause?.smallest ?? false };
            });
            return [predicate, rows] as const;
        }),
    );

    async function causesOf({ limits }: RowEffectsAsked, keys: readonly PredicateKey[]) {
        const host = processHost(() => undefined);
        const request = { shown: keys, writes: false, limits, providers: NO_PROVIDERS };
        const explained = async ({ loaded }: LoadedRun): Promise<Database | undefined> => {
            const own = keys.filter(key => loaded.program.predicates.has(key));
            const done = await evaluateLoaded(loaded, { ...request, shown: own, heights: true, goalsOnly: false }, host);
            return done.ok ? done.results.database : undefined;
        };
        const [old, now] = [await explained(before), await explained(after)];
        const [first] = compared;
        if (old === undefined || now === undefined || first === undefined) return [];
        const own = keys.filter(key => before.loaded.program.predicates.has(key));
        const prepared = await prepareRun(before.loaded, { ...request, shown: own }, host);
        return causesOfRows({
            sides: { before: { made: before.made, database: old }, after: { made: after.made, database: now } },
            edits: edits.map((edit): Edit => ({ kind: 'run', edit })),
            compared,
            dictionary: first.listing.dictionary,
            most: MOST_ROWS,
            held: await prepared.open({}),
            load,
            enough,
            checkpoint: checkpointOf(host, enough),
        });
    }
}
