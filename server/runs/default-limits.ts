/** Limits that apply where nothing else is asked for (4.7). */
export const DEFAULT_LIMITS = { maxRounds: 10_000, maxNullDepth: 200, isoDepth: 3 } as const;
