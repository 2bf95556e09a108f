import type { PlatformClient } from '#server/client/platform-client.ts';
import { isRefusal } from '#server/notices/refusal.ts';
import { connect, type ServiceOptions } from '#server/remote/connect.ts';
import { DataDirectoryError } from '#server/store/data-directory.ts';
import { ToolError } from '#server/tools/tool-error.ts';

/** Connects to the services. Throws a `ToolError` if they cannot be reached. */
export function connectToServices(options: ServiceOptions): PlatformClient {
    try {
        return connect(options, () => undefined).client;
    } catch (error) {
        if (isRefusal(error, 'service') || error instanceof DataDirectoryError) throw new ToolError('service_unavailable', error.message);
        throw error;
    }
}
