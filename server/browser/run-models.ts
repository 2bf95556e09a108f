import type { Providers } from '#engine/contracts/providers.ts';
import { NO_PROVIDERS } from './no-providers.ts';

/** The models that runs of an editor in a browser may ask: none. */
export function runModels(): () => Promise<Providers> {
    return async () => NO_PROVIDERS;
}
