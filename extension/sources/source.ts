import type { PlatformClient } from '#server/client/platform-client.ts';

/** A table, a sheet or a file that was connected. */
export type Source = Awaited<ReturnType<PlatformClient['listSources']>>[number];

/** Where a source is, and what opens it. */
export type Database = Parameters<PlatformClient['connectSource']>[0]['body']['database'];
