/** Decisions of the planner for single rules and strata, by the names that switch them off. Answers never depend on them. */
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
