import { PLATFORM_ROUTES, type PlatformRoutes } from '#server/protocol/platform/routes.ts';
import { type ClientOptions, type RouteClient, routeClient } from './route-client.ts';

/** A client of the platform API. */
export type PlatformClient = RouteClient<PlatformRoutes>;

export function platformClient(options: ClientOptions): PlatformClient {
    return routeClient(PLATFORM_ROUTES, options);
}
