import { stop } from '#engine/reports/reports.ts';
import { CONNECTED_TYPES, type ConnectedType, isFileType } from '#language/library/connected-sources.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Connector } from '#server/sources/connector.ts';
import { fileConnector } from '#server/sources/file-connector.ts';
import { PARQUET_FILES } from '#server/sources/parquet-file.ts';
import { sourceName } from '#server/sources/source-name.ts';
import { PAGE_FORMATS } from './file-formats.ts';

/** How the connected types are read and written in a browser, which reaches the files that it is given and nothing else. */
export const CONNECTORS = Object.fromEntries(CONNECTED_TYPES.map(type => [type, connectorOf(type)])) as Readonly<
    Record<ConnectedType, Connector>
>;

function connectorOf(type: ConnectedType): Connector {
    if (type === 'parquet') return parquetFiles();
    const format = isFileType(type) ? PAGE_FORMATS[type] : undefined;
    return format === undefined ? unreachable() : fileConnector(format);
}

/** They are read without a database, and written with one. */
function parquetFiles(): Connector {
    const files = fileConnector(PARQUET_FILES);
    return { ...files, sink: refuse, verify: (bind, access) => (bind.direction === 'output' ? refuse(bind) : files.verify(bind, access)) };
}

function unreachable(): Connector {
    return { source: refuse, sink: refuse, verify: refuse, columns: refuse, missing: () => undefined, stamp: () => undefined };
}

function refuse(bind: Bind): never {
    const location = { place: bind.place, span: bind.annotation.span };
    const remedy = say`Run the program on the command line or in an installed editor, or give its rows as a CSV file`;
    stop('RT063', { location, remedy }, sourceName(bind), say`a page in a browser reaches no source of type '${bind.type}'`);
}
