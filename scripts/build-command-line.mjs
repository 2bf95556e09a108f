// Bundles what every command starts with: the program of the main thread, the worker thread, what that evaluates in, and the
// parts that few programs need. All of it is CommonJS, which Node loads five milliseconds faster per thread than modules.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inAscii } from './in-ascii.mjs';
import { build } from './noted-build.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORKER_PROGRAM = 'worker-program';

/** Files of which the worker thread loads nothing before one of their functions is called. They must export functions only. */
const PARTS = {
    documents: ['server/sources/documents/read-pdf.ts'],
    duckdb: ['server/compute/installed-duckdb.ts', 'engine/pushdown/pushed-run.ts', 'server/compute/duckdb-compute.ts'],
    expressions: ['language/library/parsed-expression.ts'],
    grammar: ['language/services.ts'],
    models: ['server/model/open-model.ts'],
    mysql: ['server/sources/databases/mysql-session.ts'],
    patterns: ['engine/evaluate/builtins/pattern.ts', 'language/library/pattern.ts'],
    postgresql: ['server/sources/databases/postgresql-session.ts'],
    queries: ['language/sql/parse-select.ts'],
    telephones: ['engine/evaluate/builtins/international-form.ts'],
    packing: ['engine/sources/unpacker.ts', 'server/sources/pack-bytes.ts'],
    scripts: ['server/python/runner-text.ts', 'server/python/script-folders.ts'],
    sqlite: ['server/sources/sqlite/load-sqlite.ts'],
    workbooks: ['server/sources/excel/decrypt-workbook.ts', 'server/sources/excel/xml.ts', 'server/sources/excel/zip.ts'],
};

/** What evaluates, formats and checks programs, in dist. */
export const COMMAND_LINE = ['cli', 'run-worker', 'team-member', WORKER_PROGRAM, ...Object.keys(PARTS)].map(name => `${name}.js`);

/** Parts of which nothing is kept: commands that need them read or write files of many bytes, wait for others, or end at a mistake. */
const RARE = ['documents', 'expressions', 'models', 'packing', 'scripts', 'sqlite', 'workbooks'];

/** What the worker thread uses of modules of Node that take milliseconds to load, and most programs do without. */
const NODE_FUNCTIONS = {
    'node:child_process': ['spawn'],
    'node:crypto': ['createDecipheriv', 'createHash', 'randomBytes', 'randomUUID'],
    'node:dns/promises': ['lookup'],
    'node:module': ['createRequire'],
    'node:net': ['isIP'],
    'node:os': ['homedir', 'tmpdir', 'totalmem'],
    'node:zlib': ['crc32', 'deflateRawSync', 'gzipSync'],
};

/** Commands of which the build keeps what V8 made: a usual run first, then what needs the parts. */
const KEPT_COMMANDS = [
    { args: ['run', 'samples/control/control.rulelang'], input: '' },
    {
        args: ['run', '-'],
        input: `call("+43 1 58858").
foreign(N) <- call(P), N = utils:phone_number(P, "AT"), rlike(N, "^[+][0-9]+ "), !(N == "?" || N == "!").
@output("foreign").`,
    },
    // Nobody listens there: a check goes on without the columns.
    ...['postgresql', 'mysql'].map(type => ({
        args: ['check', '-', '--allow-net', '127.0.0.1:1'],
        input: `@bind("p", "${type} host='127.0.0.1', port=1, username='u'", "d", "t"). @output("q"). q(X) <- p(X).`,
    })),
    {
        args: ['run', '-'],
        input: `person("ann", 7). @output("grown"). grown(Name, Age) <- SELECT person_0, person_1 FROM person WHERE person_1 > 3.`,
    },
];

/** `entries` are the modules that the main thread may load later, by the names of their bundles. */
export async function buildCommandLine(common, entries) {
    const script = {
        ...common,
        format: 'cjs',
        charset: 'ascii',
        define: { ...common.define, 'import.meta.url': '$url' },
        banner: { js: "const $url = require('node:url').pathToFileURL(__filename).href;" },
    };
    await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
    await build({
        ...script,
        entryPoints: { cli: 'server/cli/main.ts', 'run-worker': 'server/runs/run-worker.ts' },
        banner: { js: `#!/usr/bin/env node\n${script.banner.js}` },
        plugins: [laterModules(entries)],
    });
    await build({ ...script, entryPoints: { load: 'server/processes/load.ts', 'team-member': 'server/team/team-member.ts' } });
    const parts = await Promise.all(Object.entries(PARTS).map(([name, files]) => buildPart(script, name, files)));
    await build({
        ...script,
        entryPoints: { [WORKER_PROGRAM]: 'server/runs/worker-program.ts' },
        plugins: [laterParts(new Map(parts.flat())), nodeModules],
    });
    await Promise.all([WORKER_PROGRAM, ...Object.keys(PARTS)].map(finish));
    for (const command of KEPT_COMMANDS) keepCode(command);
    const unused = [WORKER_PROGRAM, ...Object.keys(PARTS)].find(name => !RARE.includes(name) && !existsSync(`dist/${name}.js.code`));
    if (unused !== undefined) throw new Error(`No command of the build needs ${unused}, so that nothing is kept of it`);
}

/** What the main thread imports while it runs stays a module of its own. */
function laterModules(entries) {
    return {
        name: 'later-modules',
        setup({ onResolve }) {
            onResolve({ filter: /^#/ }, ({ path, kind }) => {
                if (kind !== 'dynamic-import') return undefined;
                const entry = Object.keys(entries).find(name => entries[name] === path.slice(1));
                if (entry === undefined) throw new Error(`${path} is imported at run time and has no bundle of its own`);
                return { path: `./${entry}.mjs`, external: true };
            });
        },
    };
}

/** Bundles files together; says for each file in which part it is and what it exports. */
async function buildPart(script, name, files) {
    const contents = files.map((file, i) => `export * as file${i} from './${file}';`).join('\n');
    await build({
        ...script,
        stdin: { contents, resolveDir: ROOT },
        outfile: `dist/${name}.js`,
        outdir: undefined,
        plugins: [bundledDuckDb],
    });
    const part = createRequire(import.meta.url)(`../dist/${name}.js`);
    return files.map((file, i) => {
        const exported = Object.entries(part[`file${i}`]);
        const other = exported.find(([, value]) => typeof value !== 'function');
        if (other !== undefined) throw new Error(`${file} exports '${other[0]}', which is no function; it cannot be loaded later`);
        return [`${ROOT}${file}`, { part: name, file: `file${i}`, names: exported.map(([exportedName]) => exportedName) }];
    });
}

/** The driver of DuckDB is 180 files, which Node loads one by one; its native parts stay where they are installed. */
const bundledDuckDb = {
    name: 'bundled-duckdb',
    setup({ onLoad, onResolve }) {
        const namespace = 'native-parts';
        onLoad({ filter: /installed-duckdb\.ts$/ }, () => ({
            contents: `export function installedDuckDb() { return require('@duckdb/node-api'); }`,
            resolveDir: ROOT,
        }));
        onResolve({ filter: /^@duckdb\/node-bindings$/ }, ({ path }) => ({ path, namespace }));
        onLoad({ filter: /^/, namespace }, ({ path }) => ({
            contents: `const { createRequire } = require('node:module');
module.exports = createRequire(createRequire($url).resolve('@duckdb/node-api'))('${path}');`,
        }));
    },
};

/** In place of a file of a part stand functions that load the part and call what it has under their names. */
function laterParts(files) {
    return {
        name: 'later-parts',
        setup({ onLoad, onResolve }) {
            onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.replace('part:', './'), external: true }));
            onLoad({ filter: /\.ts$/ }, ({ path }) => {
                const found = files.get(path);
                if (found === undefined) return undefined;
                const { part, file, names } = found;
                return { contents: names.map(exported => forwarded(exported, `require('part:${part}.js').${file}`)).join('\n') };
            });
        },
    };
}

/** Modules of Node as the worker thread has them: `fs` without a copy per importing file, the others when they are called. */
const nodeModules = {
    name: 'node-modules',
    setup({ onLoad, onResolve }) {
        const namespace = 'node-modules';
        onResolve({ filter: /^node:/ }, ({ path }) =>
            path === 'node:fs' || path in NODE_FUNCTIONS ? { path, namespace } : { path, external: true },
        );
        onLoad({ filter: /^/, namespace }, ({ path }) => {
            const module = `process.getBuiltinModule('${path}')`;
            if (path === 'node:fs') return { contents: `export default ${module};` };
            return { contents: NODE_FUNCTIONS[path].map(name => forwarded(name, module)).join('\n') };
        });
    },
};

/** A function that asks for what it belongs to only when it is called. */
function forwarded(name, from) {
    return `export function ${name}(...given) { return ${from}.${name}(...given); }`;
}

/**
 * The file is the function that the worker thread calls: to put text around it there would take a second copy of it.
 */
async function finish(name) {
    const program = await readFile(`dist/${name}.js`, 'utf8');
    // In the first line, so that the source map stays right.
    await writeFile(`dist/${name}.js`, `(function (require, module, exports, __filename) {${inAscii(program)}\n})`);
}

function keepCode({ args, input }) {
    const env = { ...process.env, RULELANG_KEEP_CODE: 'new' };
    execFileSync(process.execPath, ['dist/cli.js', ...args], { env, input, stdio: 'pipe' });
}
