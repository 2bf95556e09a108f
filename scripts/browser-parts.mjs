// What stands in a browser in the place of modules of Node, and of files that need another machine than a browser is.
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const NODE_MODULES = {
    'node:crypto': 'server/browser/random.ts',
    'node:fs': 'server/browser/file-system.ts',
    'node:path': 'server/browser/paths.ts',
    'node:path/posix': 'server/browser/paths.ts',
    'node:timers/promises': 'server/browser/timers.ts',
    'node:zlib': 'server/browser/packing.ts',
};
const FILES = {
    'server/compute/closed-database.ts': 'server/browser/closed-database.ts',
    'server/compute/duckdb.ts': 'server/browser/duckdb.ts',
    'server/compute/parquet-reader.ts': 'server/browser/parquet-reader.ts',
    'server/python/script-engine.ts': 'server/browser/script-engine.ts',
    'server/runs/run-compute.ts': 'server/browser/run-compute.ts',
    'server/sources/excel/decrypt-workbook.ts': 'server/browser/decrypt-workbook.ts',
    'server/sources/connector-table.ts': 'server/browser/connector-table.ts',
    'server/team/team.ts': 'server/browser/team.ts',
};

/** A plugin that puts them there, and others beside them: by module of Node, and by file. */
export function browserParts({ modules = {}, files = {} }) {
    const nodeModules = { ...NODE_MODULES, ...modules };
    const standing = { ...FILES, ...files };
    const names = Object.keys(standing).map(file => file.split('/').at(-1).replace('.', '\\.'));
    const plugin = {
        name: 'browser-parts',
        setup({ onResolve, resolve }) {
            onResolve({ filter: /^node:/ }, ({ path, importer }) => {
                const stand = nodeModules[path];
                if (stand === undefined) return { errors: [{ text: `${importer} needs ${path}, which no browser has` }] };
                return { path: ROOT + stand };
            });
            onResolve({ filter: new RegExp(`/(?:${names.join('|')})$`) }, async ({ path, pluginData, ...place }) => {
                if (pluginData === plugin) return undefined;
                const { resolveDir, kind, importer } = place;
                const found = await resolve(path, { resolveDir, kind, importer, pluginData: plugin });
                const stand = standing[found.path.slice(ROOT.length)];
                return stand === undefined || importer === ROOT + stand ? found : { path: ROOT + stand };
            });
        },
    };
    return plugin;
}
