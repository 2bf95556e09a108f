import { stop } from '#engine/reports/reports.ts';
import type { ConnectedType } from '#language/library/connected-sources.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Connector } from '#server/sources/connector.ts';
import { CSV_FILES } from '#server/sources/csv-file.ts';
import { EXCEL_FILES } from '#server/sources/excel/excel-file.ts';
import { fileConnector } from '#server/sources/file-connector.ts';
import { JSON_FILES } from '#server/sources/json-file.ts';
import { PARQUET_FILES } from '#server/sources/parquet-file.ts';
import { sourceName } from '#server/sources/source-name.ts';
import { TEXT_FILES } from '#server/sources/text-file.ts';

/** How the connected types are read and written in a browser, which reaches the files that it is given and nothing else. */
export const CONNECTORS: Readonly<Record<ConnectedType, Connector>> = {
    csv: fileConnector(CSV_FILES),
    json: fileConnector(JSON_FILES),
    excel: fileConnector(EXCEL_FILES),
    text: fileConnector(TEXT_FILES),
    parquet: parquetFiles(),
    binary: unreachable(),
    sqlite: unreachable(),
    postgresql: unreachable(),
    mysql: unreachable(),
    mariadb: unreachable(),
};

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
