/** What is decided rule by rule and stratum by stratum, under names by which it can be switched off. Answers never depend on it. */
export const DECISIONS = [
    'join-order',
    'filter-early',
    'early-arithmetic',
    'constant-probe',
    'anti-join-indexes',
    'first-match',
    'skip-final-pass',
    'contributor-elision',
    'running-totals',
    'threshold-firing',
    'grouped-sets',
    'runs',
    'batches',
    'multiway-join',
    'shared-prefixes',
    'constant-folding',
] as const;

/** Tells which of them are switched off. */
export interface SwitchedOff {
    has(decision: (typeof DECISIONS)[number]): boolean;
}
