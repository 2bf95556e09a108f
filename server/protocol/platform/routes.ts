import type { RouteDescription } from './route.ts';
import { AGENT_ROUTES } from './routes/agent.ts';
import { CONCEPT_RUNS_ROUTES } from './routes/concept-runs.ts';
import { CONCEPTS_ROUTES } from './routes/concepts.ts';
import { DASHBOARDS_ROUTES } from './routes/dashboards.ts';
import { DATA_ROUTES } from './routes/data.ts';
import { EXPLANATIONS_ROUTES } from './routes/explanations.ts';
import { PROJECTS_ROUTES } from './routes/projects.ts';
import { RULELANG_ROUTES } from './routes/rulelang.ts';
import { TRANSLATIONS_ROUTES } from './routes/translations.ts';
import { USERS_ROUTES } from './routes/users.ts';

/** Every route of the platform API that there is, by the name of its call. */
export const PLATFORM_ROUTES = {
    ...RULELANG_ROUTES,
    ...USERS_ROUTES,
    ...PROJECTS_ROUTES,
    ...DASHBOARDS_ROUTES,
    ...CONCEPTS_ROUTES,
    ...CONCEPT_RUNS_ROUTES,
    ...EXPLANATIONS_ROUTES,
    ...DATA_ROUTES,
    ...AGENT_ROUTES,
    ...TRANSLATIONS_ROUTES,
} as const satisfies Record<string, RouteDescription>;

export type PlatformRoutes = typeof PLATFORM_ROUTES;
export type PlatformRouteName = keyof PlatformRoutes;
