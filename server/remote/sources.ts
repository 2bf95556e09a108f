import { say } from '#language/program/say.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { JsonText, jsonOf } from '#server/protocol/json-text.ts';
import type { Scope } from './concepts.ts';
import { printGivenTable } from './print-rows.ts';
import type { Terminal } from './terminal.ts';

type SourceDatabase = Parameters<PlatformClient['connectSource']>[0]['body']['database'];
type SourceRecord = Awaited<ReturnType<PlatformClient['listSources']>>[number];

/** A call of `rulelang data`. */
export type SourceRequest =
    | { readonly scope: Scope; readonly action: 'list'; readonly format: 'table' | 'json' }
    | { readonly scope: Scope; readonly action: 'connect'; readonly database: SourceDatabase; readonly counts: boolean }
    | {
          readonly scope: Scope;
          readonly action: 'infer';
          readonly database: SourceDatabase;
          readonly addModel: boolean;
          readonly folder?: string;
      }
    /** All of the scope where no ids are given. */
    | { readonly scope: Scope; readonly action: 'remove'; readonly ids?: readonly string[] };

/** Does what is asked for; gives false where a source cannot be reached, or one to be removed is not there. */
export async function askSources(request: SourceRequest, client: PlatformClient, terminal: Terminal): Promise<boolean> {
    const { scope } = request;
    switch (request.action) {
        case 'list': {
            const sources = await client.listSources({ query: { scope } });
            if (request.format === 'json') terminal.print(`${new JsonText(jsonOf(sources)).indented}\n`);
            else printSources(sources, terminal);
            return true;
        }
        case 'connect': {
            const { database, counts } = request;
            const answer = await client.connectSource({ body: { scope, database, computeRowCount: counts } });
            if (answer.connectionStatus) printSources(answer.sources, terminal);
            else terminal.say(say`rulelang data: the source cannot be connected: ${answer.errorMessage}\n`);
            return answer.connectionStatus;
        }
        case 'infer': {
            const { database, addModel, folder } = request;
            const place = folder === undefined ? {} : { place: { folder } };
            terminal.print(await client.inferSchema({ body: { database, addModel, addOutput: true, ...place } }));
            return true;
        }
        case 'remove': {
            const { ids } = request;
            const answer = await client.cleanupSources({ body: { scope, ...(ids !== undefined && { source_ids: [...ids] }) } });
            for (const id of answer.deleted) terminal.say(say`Removed '${id}'\n`);
            for (const id of answer.not_found) terminal.say(say`rulelang data: there is no source '${id}'\n`);
            return answer.not_found.length === 0;
        }
    }
}

function printSources(sources: readonly SourceRecord[], terminal: Terminal): void {
    printGivenTable(
        {
            columns: ['source', 'kind', 'of', 'rows', 'columns', 'id'],
            types: ['STRING', 'STRING', 'STRING', 'INT', 'STRING', 'STRING'],
            rows: sources.map(({ id, name, type, database_type, row_count, columns }) => [
                name,
                type,
                database_type,
                row_count,
                columns.map(column => column.name).join(', '),
                id,
            ]),
        },
        terminal,
    );
}
