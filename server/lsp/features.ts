import { formatting } from './features/formatting.ts';
import { runs } from './features/runs.ts';
import type { Feature } from './language-server.ts';

/** Everything that the server can do beside following documents. */
export const FEATURES: readonly Feature[] = [formatting, runs];
