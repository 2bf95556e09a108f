import type { ConnectedType, FileType } from '#language/library/connected-sources.ts';
import type { FileFormat } from './bound-file.ts';
import type { Connector } from './connector.ts';
import { databaseConnector } from './databases/database-connector.ts';
import { DIALECTS } from './databases/dialects.ts';
import { fileConnector } from './file-connector.ts';
import { FILE_FORMATS } from './file-formats.ts';
import { SQLITE } from './sqlite/sqlite-connector.ts';

/** How the connected types are read and written. */
export const CONNECTORS: Readonly<Record<ConnectedType, Connector>> = {
    ...filesOf(FILE_FORMATS),
    sqlite: SQLITE,
    postgresql: databaseConnector(DIALECTS.postgresql),
    mysql: databaseConnector(DIALECTS.mysql),
    mariadb: databaseConnector(DIALECTS.mariadb),
};

function filesOf(formats: Readonly<Record<FileType, FileFormat>>): Readonly<Record<FileType, Connector>> {
    const connectors = Object.entries(formats).map(([type, format]) => [type, fileConnector(format)] as const);
    return Object.fromEntries(connectors) as Record<FileType, Connector>;
}
