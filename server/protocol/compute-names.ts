/** Engines that are built in, by their names in requests. */
export const COMPUTE_NAMES = ['duckdb'] as const;
export type ComputeName = (typeof COMPUTE_NAMES)[number];
