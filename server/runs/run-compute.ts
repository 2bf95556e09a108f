import type { StartElsewhere } from '#engine/evaluate/elsewhere.ts';
import { pushedTo } from '#engine/pushdown/pushed-run.ts';
import { duckDbCompute } from '#server/compute/duckdb-compute.ts';
import type { RunLimits } from '#server/protocol/run-process.ts';

/** The engine of a run. */
interface RunCompute {
    readonly start: StartElsewhere;
    close(): void;
}

/** The engine that a run names, with half of its memory. Nothing is opened before the first statement. */
export function runCompute({ compute, maxMemory, threads = 1 }: RunLimits): RunCompute | undefined {
    if (compute === undefined) return undefined;
    const engine = duckDbCompute({ memory: maxMemory / 2, threads });
    return { start: pushedTo(engine), close: engine.close };
}
