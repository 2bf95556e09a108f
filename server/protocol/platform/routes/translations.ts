import type { RouteDescription } from '../route.ts';

export const TRANSLATIONS_ROUTES = {} as const satisfies Record<string, RouteDescription>;
