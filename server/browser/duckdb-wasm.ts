import { QueryFailed } from '#engine/contracts/queries.ts';
import { say } from '#language/program/say.ts';
import type { DatabaseLimits } from '#server/compute/closed-database.ts';
import type { ArrowType } from './arrow-values.ts';

/** The used part of DuckDB's WebAssembly build. */
export interface WasmConnection {
    query(text: string): WasmAnswer;
    prepare(text: string): { close(): void };
}

interface WasmAnswer {
    readonly numRows: number;
    getChildAt(column: number): { readonly type: ArrowType; get(row: number): unknown } | null;
}

/** The part of WebAssembly that TypeScript's types of Node lack. */
const { WebAssembly: WASM } = globalThis as unknown as {
    readonly WebAssembly: {
        instantiate(bytes: ArrayBuffer, imports: unknown): Promise<{ readonly instance: unknown; readonly module: unknown }>;
    };
};

/** Beside the scripts of the page. */
const MODULE = new URL('duckdb/duckdb-eh.wasm', import.meta.url).href;

let opened: Promise<WasmConnection> | undefined;

/** The one database of this page, which is loaded when it is first asked for. */
export function openWasmDatabase(limits: DatabaseLimits): Promise<WasmConnection> {
    opened ??= load(limits);
    opened.catch(() => {
        opened = undefined;
    });
    return opened;
}

/** Opens a database in memory that reaches no files and no network, loads no extensions, and whose settings cannot change. */
async function load({ memory }: DatabaseLimits): Promise<WasmConnection> {
    const { createDuckDB, ...others } = await import('@duckdb/duckdb-wasm/blocking').catch(unavailable);
    // The package types what it has for Node alone.
    const { BROWSER_RUNTIME } = others as unknown as { readonly BROWSER_RUNTIME: Parameters<typeof createDuckDB>[2] };
    const bundle = { mainModule: MODULE, mainWorker: '' };
    const database = await createDuckDB({ mvp: bundle, eh: bundle }, { log: () => undefined }, BROWSER_RUNTIME);
    const bytes = await moduleBytes().catch(unavailable);
    await new Promise<unknown>((loaded, failed) => {
        // Its own way never ends where a server gives the file another type, or compiling fails.
        const instantiateWasm = (imports: unknown, success: (instance: unknown, module: unknown) => void) => {
            WASM.instantiate(bytes, imports).then(({ instance, module }) => success(instance, module), failed);
            return {};
        };
        Object.assign(globalThis, { DUCKDB_RUNTIME: BROWSER_RUNTIME });
        Object.assign(database, { instantiateWasm });
        database.instantiate(() => undefined).then(loaded, failed);
    }).catch(unavailable);
    database.open({});
    const connection = database.connect();
    const settings = [
        `memory_limit = '${Math.max(64, Math.floor(memory / 2 ** 20))}MiB'`,
        'max_expression_depth = 250',
        'autoinstall_known_extensions = false',
        'autoload_known_extensions = false',
        'allow_community_extensions = false',
        'enable_external_access = false',
        'lock_configuration = true',
    ];
    connection.query('CREATE MACRO size(x) AS len(x)');
    for (const setting of settings) connection.query(`SET ${setting}`);
    return connection;
}

async function moduleBytes(): Promise<ArrayBuffer> {
    const answer = await fetch(MODULE);
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return answer.arrayBuffer();
}

function unavailable(reason: unknown): never {
    throw new QueryFailed(say`it needs DuckDB, which could not be loaded: ${reason instanceof Error ? reason.message : String(reason)}`);
}
