import { NO_PROVIDERS } from '#engine/contracts/providers.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';
import { processHost } from '../evaluate-loaded.ts';
import type { FinishedRun } from '../evaluate-run.ts';
import type { HeldRun } from '../held-run.ts';
import { loadProgram } from '../load-program.ts';
import { prepareRun } from '../prepare-run.ts';
import { runSource } from '../run-source.ts';
import { changedSource } from './changed-source.ts';
import { alone, KeptAnswers, type WhatIfProgram } from './what-if-answers.ts';

/** A finished run that is evaluated again to be held, at the first question. Its files are read for that, and nothing else is reached. */
export function heldOnDemand({ run, loaded, results, memoryLeft }: FinishedRun): WhatIfProgram {
    let opened: Promise<HeldRun | string> | undefined;
    const open = async (): Promise<HeldRun | string> => {
        const far = [...loaded.program.predicates.values()].flatMap(({ inputBinds }) => inputBinds).find(({ type }) => !isFile(type));
        if (far !== undefined)
            return refuse(
                say`'${far.predicate}' has rows from a connection, which is not opened for this. Switch Live on: then those of its run count`,
            );
        const reached = { ...loaded, access: { ...loaded.access, grants: runSource(alone(run)).grants } };
        const shown = results.listings.map(({ predicate }) => predicate);
        const limits = { ...run.limits, maxMemory: memoryLeft / 2 };
        const request = { shown, writes: false, limits, providers: NO_PROVIDERS };
        const held = await (
            await prepareRun(
                reached,
                request,
                processHost(() => undefined),
            )
        ).hold({ alone: true });
        if (typeof held === 'string' || held.outcome.ok) return held;
        return refuse(held.outcome.reports.find(({ severity }) => severity === 'error')?.message ?? say`Its evaluation fails`);
    };
    return {
        held: () => {
            opened ??= open();
            return opened;
        },
        load: changes => loadProgram(changedSource(runSource(alone(run)), changes)),
        // The rows of the second evaluation itself are not needed.
        back: () => undefined,
        kept: new KeptAnswers(),
    };
}

function isFile(type: string): boolean {
    const source = dataSourceNamed(type);
    return source?.isFile === true || source?.outer === 'file';
}
