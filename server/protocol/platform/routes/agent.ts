import type { RouteDescription } from '../route.ts';

export const AGENT_ROUTES = {} as const satisfies Record<string, RouteDescription>;
