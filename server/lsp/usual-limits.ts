import { totalmem } from 'node:os';
import { usualThreads } from '#server/processes/usual-threads.ts';
import type { RunLimits } from '#server/protocol/run-process.ts';
import type { InitializationOptions } from '#server/protocol/runs.ts';

const SHARE = 0.5;

/** Limits of a run: half of the memory, unless the user has other settings. */
export function usualLimits({ limits = {} }: InitializationOptions): RunLimits {
    const constrained = process.constrainedMemory();
    const usable = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
    return { threads: usualThreads(), ...limits, maxMemory: limits.maxMemory ?? usable * SHARE };
}
