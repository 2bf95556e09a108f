import type { RouteDescription } from '../route.ts';

export const DATA_ROUTES = {} as const satisfies Record<string, RouteDescription>;
