import type { RouteDescription } from '../route.ts';

export const CONCEPTS_ROUTES = {} as const satisfies Record<string, RouteDescription>;
