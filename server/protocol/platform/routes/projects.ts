import type { RouteDescription } from '../route.ts';

export const PROJECTS_ROUTES = {} as const satisfies Record<string, RouteDescription>;
