import { say } from '#language/program/say.ts';
import type { RunEffects } from '#server/protocol/run-difference.ts';
import type { DifferenceSearch } from '#server/protocol/run-process.ts';
import { startChild } from './run-child.ts';

/** Milliseconds. */
const LONGEST = 10_000;

/** Searches in a process of its own for the reasons of the difference between two runs, until the signal aborts. */
export async function searchedEffects(search: DifferenceSearch, signal: AbortSignal): Promise<RunEffects> {
    const child = startChild({ ...search, limits: { ...search.limits, timeout: LONGEST } });
    signal.addEventListener('abort', child.kill.bind(child));
    const { end, effects } = await child.ended;
    child.kill();
    if (effects !== undefined) return effects;
    const reason = end.outcome === 'crashed' ? end.message : say`The search was stopped`;
    return { kind: 'failed', reason };
}
