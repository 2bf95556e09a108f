import type { RouteDescription } from '../route.ts';

export const CONCEPT_RUNS_ROUTES = {} as const satisfies Record<string, RouteDescription>;
