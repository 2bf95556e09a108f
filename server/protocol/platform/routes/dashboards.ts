import type { RouteDescription } from '../route.ts';

export const DASHBOARDS_ROUTES = {} as const satisfies Record<string, RouteDescription>;
