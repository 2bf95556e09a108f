import { ComputeFailed } from '#engine/contracts/compute.ts';
import { say } from '#language/program/say.ts';

/** A page has no folder to spill to, and no processes: runs are evaluated by the evaluator alone. */
export function duckDbCompute(): never {
    throw new ComputeFailed(say`DuckDB is not an engine of runs in a browser`);
}
