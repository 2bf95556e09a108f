import type { PlatformClient } from '#server/client/platform-client.ts';
import { isRefusal } from '#server/notices/refusal.ts';
import { connect, type ServiceOptions } from '#server/remote/connect.ts';
import { DataDirectoryError } from '#server/store/data-directory.ts';
import { ToolError } from '#server/tools/tool-error.ts';

/** A client of the services. A `ToolError` says why there is none. */
export function services(options: ServiceOptions): PlatformClient {
    try {
        return connect(options, () => undefined).client;
    } catch (error) {
        if (isRefusal(error, 'service') || error instanceof DataDirectoryError) throw new ToolError('service_unavailable', error.message);
        throw error;
    }
}
