import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import type { Severities } from '#language/reporting/severities.ts';

/** Tells problems that are off by default as well. */
export const EVERY_SEVERITY: Severities = new Map(
    Object.entries<ProblemEntry>(PROBLEMS).flatMap(([code, { offByDefault, severity }]) =>
        offByDefault ? [[code, severity] as const] : [],
    ),
);
