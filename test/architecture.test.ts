import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DirectedGraph } from 'graphology';
import { stronglyConnectedComponents } from 'graphology-components';
import { describe, expect, test } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

interface FolderRule {
    /** The files of this folder that no longer folder of the table covers. */
    readonly folder: string;
    /** Folders, and single files, of the project that it may import; its own always. */
    readonly folders: readonly string[];
    /** Packages by their exact names; `node:` admits Node's own. */
    readonly packages: readonly string[];
    /** Packages of which only types may be imported. */
    readonly typesOf?: readonly string[];
}

/** What all know of the types of sources; it imports nothing. */
const SOURCES = 'language/library/connected-sources.ts';

/** Who may import whom. */
const FOLDER_RULES: readonly FolderRule[] = [
    { folder: 'language/program', folders: [], packages: [] },
    { folder: 'language/library', folders: ['language/program'], packages: ['@eslint-community/regexpp'] },
    { folder: 'language/problems', folders: ['language/program', 'language/library', 'language/analysis'], packages: [] },
    { folder: 'language/analysis', folders: ['language/program', 'language/library', 'language/problems'], packages: [] },
    { folder: 'language', folders: ['language'], packages: ['langium'], typesOf: ['chevrotain'] },
    { folder: 'language/sql', folders: ['language'], packages: ['node-sql-parser/build/postgresql.js'] },
    { folder: 'engine', folders: ['engine', 'language/program', 'language/library'], packages: [] },
    { folder: 'engine/sources', folders: ['engine', 'language/program', 'language/library'], packages: ['fzstd', 'pako'] },
    {
        folder: 'engine/evaluate/builtins',
        folders: ['engine', 'language/program', 'language/library'],
        packages: [
            '@eslint-community/regexpp',
            '@noble/hashes/legacy.js',
            '@noble/hashes/sha2.js',
            '@noble/hashes/utils.js',
            'libphonenumber-js/min',
            're2js',
        ],
    },
    { folder: 'server/protocol', folders: [], packages: [] },
    { folder: 'server/protocol/platform', folders: ['server/protocol', SOURCES], packages: ['typebox'] },
    { folder: 'server/client', folders: ['server/protocol'], packages: [] },
    { folder: 'server/files', folders: ['server', 'language', 'engine'], packages: ['node:', 'jsonc-parser'] },
    { folder: 'server/store', folders: ['server', 'language', 'engine'], packages: ['node:', '@duckdb/node-api'] },
    { folder: 'server/compute', folders: ['server', 'language', 'engine'], packages: ['node:', '@duckdb/node-api'] },
    {
        folder: 'server/sources',
        folders: ['server', 'language', 'engine'],
        packages: ['node:', '@hpcc-js/wasm-zstd', 'pako', 'saxes', 'sql.js/dist/sql-wasm-inline.js', 'unpdf/pdfjs'],
    },
    {
        folder: 'server/mcp',
        folders: ['server', 'language', 'engine'],
        packages: [
            'node:',
            '@modelcontextprotocol/sdk/server/index.js',
            '@modelcontextprotocol/sdk/server/stdio.js',
            '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js',
            '@modelcontextprotocol/sdk/types.js',
        ],
    },
    { folder: 'server/tools', folders: ['server', 'language', 'engine'], packages: ['node:', 'typebox', 'typebox/value'] },
    { folder: 'server/assistant', folders: ['server', 'language', 'engine'], packages: ['node:', 'minisearch', 'stemmer'] },
    { folder: 'server/api', folders: ['server', 'language', 'engine'], packages: ['node:', 'fastify', 'jose', 'typebox'] },
    {
        folder: 'server/model',
        folders: ['server', 'language', 'engine'],
        packages: [
            'node:',
            'undici',
            ...['amazon-bedrock', 'anthropic', 'azure', 'google', 'mistral', 'openai', 'openai-compatible', 'provider'].map(
                name => `@ai-sdk/${name}`,
            ),
        ],
    },
    { folder: 'server/remote', folders: ['server', 'language', 'engine'], packages: ['node:', 'undici'] },
    {
        folder: 'server/translate',
        folders: ['server', 'language', 'engine'],
        packages: ['n3/lib/N3Lexer.js', 'n3/lib/N3Parser.js', 'saxes'],
    },
    {
        folder: 'server/sources/databases',
        folders: ['server', 'language', 'engine'],
        packages: ['node:', 'pg', 'mysql2'],
    },
    {
        folder: 'server',
        folders: ['server', 'language', 'engine'],
        packages: ['node:', 'langium/lsp', 'langium/node', 'vscode-languageserver/node', 'vscode-languageserver-textdocument'],
    },
    {
        folder: 'server/dap',
        folders: ['server', 'language', 'engine'],
        packages: ['node:', 'vscode-languageserver/node'],
        typesOf: ['@vscode/debugprotocol'],
    },
    { folder: 'extension/surfaces', folders: ['server/protocol'], packages: [] },
    { folder: 'extension/surfaces/chart', folders: ['extension/surfaces', 'server/protocol'], packages: ['uplot'] },
    { folder: 'extension/surfaces/platform', folders: ['extension/surfaces', 'server/protocol', 'server/client'], packages: [] },
    { folder: 'extension/sources', folders: ['extension/surfaces', 'server/protocol', 'server/client', SOURCES], packages: [] },
    {
        folder: 'extension/page',
        folders: ['extension/surfaces', 'extension/sources', 'server/protocol', 'server/client'],
        packages: [],
    },
    {
        folder: 'extension/page/editor',
        folders: ['extension/page', 'extension/surfaces'],
        packages: [
            '@lezer/highlight',
            ...['autocomplete', 'commands', 'language', 'lint', 'search', 'state', 'view'].map(name => `@codemirror/${name}`),
        ],
    },
    { folder: 'extension/page/language', folders: ['language'], packages: [] },
    { folder: 'extension/page/export', folders: ['extension/page', 'server'], packages: [] },
    {
        folder: 'server/browser',
        folders: ['server', 'language', 'engine'],
        packages: [
            '@duckdb/duckdb-wasm/blocking',
            '@noble/hashes/sha2.js',
            '@noble/hashes/utils.js',
            'hyparquet',
            'node:',
            'pako',
            'path-browserify',
        ],
    },
    {
        folder: 'extension/playground',
        folders: ['extension/page', 'extension/surfaces', 'extension/webviews', 'server', 'language', 'engine'],
        packages: [],
    },
    {
        folder: 'extension/web',
        folders: ['extension', 'server/protocol', SOURCES],
        packages: ['vscode', 'vscode-languageclient/browser'],
    },
    {
        folder: 'extension/web/worker',
        folders: ['extension/web', 'server', 'language', 'engine'],
        packages: ['vscode-languageserver/browser'],
    },
    {
        folder: 'extension',
        folders: ['extension', 'server/protocol', 'server/client', SOURCES],
        packages: ['vscode', 'vscode-languageclient/node', 'node:'],
    },
];

/** The doors; one may start another through a dynamic import of its `main.ts`, nothing else. */
const DOORS = ['server/lsp', 'server/dap', 'server/cli', 'server/api'];

/** Folders outside that are a part of a door. */
const OTHER_HOUSES: ReadonlyMap<string, readonly string[]> = new Map([['server/lsp', ['extension/web/worker']]]);

/**
 * What each file may do with the file system. Only `server/files` opens what users name; the others write to
 * descriptors that are open already, or remove what they made.
 */
const FILE_SYSTEM: ReadonlyMap<string, readonly string[] | 'all'> = new Map<string, readonly string[] | 'all'>([
    ['server/files/open-granted.ts', 'all'],
    ['server/files/write-granted.ts', 'all'],
    ['server/files/new-files.ts', ['existsSync', 'mkdirSync', 'writeFileSync']],
    ['server/store/data-directory.ts', 'all'],
    ['server/store/commit-mark.ts', ['existsSync', 'readFileSync', 'openSync', 'writeSync', 'fdatasyncSync', 'closeSync', 'renameSync']],
    ['server/store/store-file.ts', ['existsSync', 'rmSync', 'renameSync', 'chmodSync', 'copyFileSync']],
    ['server/assistant/bundled-documentation.ts', ['existsSync', 'readFileSync']],
    ['server/assistant/documentation-pages.ts', ['existsSync', 'readdirSync', 'promises']],
    ['server/api/browser-page.ts', ['existsSync', 'readFileSync', 'readdirSync']],
    ['server/mcp/main.ts', ['statSync']],
    ['server/tools/program-file.ts', ['realpathSync']],
    ['server/cli/main.ts', ['writeSync', 'fstatSync', 'statSync']],
    ['server/cli/watch.ts', ['writeSync', 'statSync', 'watch', 'watchFile', 'unwatchFile']],
    ['server/runs/job-context.ts', ['writeSync']],
    ['server/processes/process-memory.ts', ['readFileSync', 'rmSync']],
    ['server/python/interpreter.ts', ['accessSync', 'constants', 'statSync']],
    ['server/python/script-folders.ts', ['existsSync', 'readdirSync', 'realpathSync', 'statSync']],
    ['server/processes/process-tree.ts', ['readdirSync', 'readFileSync']],
    ['server/compute/duckdb-compute.ts', ['mkdtempSync', 'rmSync']],
    ['server/python/script-process.ts', ['realpathSync', 'mkdtempSync', 'mkdirSync', 'rmSync']],
    ['server/terminal/progress-line.ts', ['writeSync']],
    ['server/repl/main.ts', ['existsSync', 'writeSync', 'writeFileSync']],
    ['server/repl/history.ts', ['readFileSync', 'mkdirSync', 'writeFileSync', 'renameSync', 'rmSync']],
    ['server/processes/kept-code.ts', ['readFileSync', 'writeFileSync']],
    ['server/runs/start-job.ts', ['writeSync', 'rmSync']],
    ['extension/runs/run-journal.ts', ['mkdirSync', 'existsSync', 'readFileSync', 'writeFileSync', 'appendFileSync', 'renameSync']],
    [
        'extension/agent/session-files.ts',
        ['existsSync', 'readdirSync', 'readFileSync', 'writeFileSync', 'renameSync', 'rmSync', 'mkdirSync', 'chmodSync'],
    ],
    ['extension/projects/concept-drafts.ts', ['mkdirSync', 'readFileSync', 'writeFileSync', 'renameSync', 'rmSync']],
    ['extension/runs/kept-files.ts', ['mkdirSync', 'chmodSync', 'readdirSync', 'existsSync', 'statSync', 'rmSync', 'renameSync']],
    ['server/files/program-files.ts', ['existsSync', 'readdirSync', 'statSync']],
    ['server/workspace/list-files.ts', ['readdirSync', 'realpathSync']],
    ['server/workspace/program-index.ts', ['lstatSync', 'statSync']],
    ['server/workspace/walk-programs.ts', ['readdirSync']],
    ['server/words/speak-locale.ts', ['existsSync', 'readdirSync', 'readFileSync']],
]);

/**
 * Files that put together what a folder in theirs holds, and which nothing there imports. All other files of a folder are on one floor: what
 * a folder in it imports from there does not import that folder.
 */
const COMPOSERS: ReadonlyMap<string, readonly string[]> = new Map([
    ['extension/manifest.ts', ['extension/web']],
    ['extension/surfaces/rows-pane.ts', ['extension/surfaces/chart', 'extension/surfaces/grid', 'extension/surfaces/pictures']],
    ['extension/views/concept-commands.ts', ['extension/views/concepts']],
    ['extension/views/concepts-view.ts', ['extension/views/concepts']],
    ['language/read-program.ts', ['language/syntax']],
    ['language/editing/completions.ts', ['language/editing/completions']],
    ['language/editing/inline-completion.ts', ['language/editing/inline-completion']],
    ['language/editing/quick-fixes.ts', ['language/editing/quick-fixes']],
    ['language/editing/refactorings.ts', ['language/editing/refactorings']],
    ['language/library/function-catalogue.ts', ['language/library/functions']],
    ['language/problems/catalogue.ts', ['language/problems/entries']],
    ['language/problems/component-problems.ts', ['language/problems/checks']],
    ['language/problems/find-problems.ts', ['language/problems/checks']],
    ['language/problems/program-checks.ts', ['language/problems/checks']],
    ['language/syntax/foreign-forms.ts', ['language/syntax/foreign-forms']],
    ['server/api/platform.ts', ['server/api/routes']],
    ['server/cli/commands.ts', ['server/cli/commands']],
    ['server/lsp/features.ts', ['server/lsp/features']],
    ['server/lsp/serve.ts', ['server/lsp/features']],
    ['server/protocol/platform/routes.ts', ['server/protocol/platform/routes']],
    ['server/runs/search-difference.ts', ['server/runs/differences']],
    ['server/runs/worker-program.ts', ['server/runs/jobs']],
    ['server/sources/binary-file.ts', ['server/sources/documents']],
    ['server/sources/connector-table.ts', ['server/sources/databases', 'server/sources/sqlite']],
    ['server/sources/file-formats.ts', ['server/sources/excel']],
]);

/** Folders that import each other, but for their composers, and why. */
const MUTUAL: ReadonlyMap<string, string> = new Map([
    ['engine/evaluate - engine/evaluate/builtins', 'expressions call functions, and some functions are operators with a name'],
    ['engine/evaluate - engine/explain', 'an explanation evaluates, and a run that fails says for which facts'],
    ['engine/plan - engine/plan/passes', 'a pass changes plans and their rules, and the planner asks some passes about one rule'],
    [
        'extension/page - extension/page/editor',
        'the page knows the types of the editor that it loads later, whose worker is one of the page',
    ],
    ['extension/runs - extension/webviews/results', 'a run is kept as its view shows it, and the view starts and follows runs'],
    ['language - language/syntax', 'the parser is one of the services, some of which read text by themselves'],
    ['language/editing - language/editing/completions', 'hover and completion list the tables of a source in the same way'],
    ['language/editing - language/editing/refactorings', 'a selection and a refactoring take rules apart in the same way'],
    ['language/analysis - language/problems', 'an analysis keeps what the checks found of each clause, and checks ask what it knows'],
    ['language/editing/quick-fixes - language/editing/refactorings', 'some fixes are refactorings, and both remove and add clauses'],
    ['language/lowering - language/syntax', 'a clause that is written plainly is read without the grammar, by the same rules'],
    ['server/runs - server/runs/what-if', 'rows that are served answer what another program would change, which is a run as well'],
    ['server/sources - server/sources/surveys', 'a survey reads sources, and what it finds is written as binds'],
]);

interface SourceFile {
    /** From the root, with forward slashes. */
    readonly path: string;
    readonly text: string;
    readonly imports: readonly Import[];
}

interface Import {
    /** A path from the root for files of the project, else the package as it is written. */
    readonly target: string;
    readonly written: string;
    readonly typesOnly: boolean;
    readonly dynamic: boolean;
}

const FILES: readonly SourceFile[] = ['language', 'engine', 'server', 'extension'].flatMap(folder => sourceFiles(join(ROOT, folder)));

function sourceFiles(folder: string): SourceFile[] {
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return sourceFiles(path);
        return /\.(?:ts|tsx|mts|js|mjs)$/u.test(entry.name) ? [sourceFile(relative(ROOT, path).replaceAll(sep, '/'))] : [];
    });
}

function sourceFile(path: string): SourceFile {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const imports: Import[] = [];
    const add = (written: string, typesOnly: boolean, dynamic: boolean): void => {
        imports.push({ target: targetOf(path, written), written, typesOnly, dynamic });
    };
    for (const match of text.matchAll(/^(?:import|export)\s+(type\s)?[^;'"]*?from\s*['"]([^'"]+)['"]/gmu)) {
        add(match[2] ?? '', match[1] !== undefined, false);
    }
    for (const match of text.matchAll(/^import\s*['"]([^'"]+)['"]/gmu)) add(match[1] ?? '', false, false);
    for (const match of text.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/gu)) add(match[1] ?? '', false, true);
    return { path, text, imports };
}

function targetOf(path: string, written: string): string {
    if (written.startsWith('.')) return posix.join(posix.dirname(path), written);
    return written.startsWith('#') ? written.slice(1) : written;
}

function isProject(found: Import): boolean {
    return found.written.startsWith('.') || found.written.startsWith('#');
}

function isWithin(path: string, folder: string): boolean {
    return path.startsWith(`${folder}/`);
}

/** The part of the project whose files import each other by relative paths: the engine, or a subfolder of another folder. */
function areaOf(path: string): string {
    const [folder = '', subfolder = ''] = path.split('/');
    return folder === 'engine' ? folder : `${folder}/${subfolder}`;
}

function ruleOf(path: string): FolderRule | undefined {
    return FOLDER_RULES.filter(rule => isWithin(path, rule.folder)).sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** The folders of two files, as one text. */
function pairOf(...paths: readonly string[]): string {
    return paths.map(path => posix.dirname(path)).join(' - ');
}

/** Whether a composer imports something from a folder that it puts together. */
function isComposed(path: string, target: string): boolean {
    return COMPOSERS.get(path)?.some(folder => isWithin(target, folder)) ?? false;
}

function violations(isWrong: (found: Import, file: SourceFile) => boolean): string[] {
    return FILES.flatMap(file => file.imports.filter(found => isWrong(found, file)).map(found => `${file.path} imports ${found.written}`));
}

test('there are files to look at', () => {
    expect(FILES.length).toBeGreaterThan(50);
    expect(FILES.some(file => file.imports.length > 5)).toBe(true);
});

describe('imports', () => {
    test('every folder imports only the folders it may know', () => {
        const isWrong = (found: Import, file: SourceFile): boolean => {
            if (!isProject(found)) return false;
            const rule = ruleOf(file.path);
            return (
                rule === undefined || ![rule.folder, ...rule.folders].some(known => found.target === known || isWithin(found.target, known))
            );
        };
        expect(violations(isWrong)).toEqual([]);
    });

    test('every folder imports only the packages it may use', () => {
        const isWrong = (found: Import, file: SourceFile): boolean => {
            if (isProject(found)) return false;
            const rule = ruleOf(file.path);
            const admitted = rule?.packages.some(name => (name === 'node:' ? found.written.startsWith('node:') : name === found.written));
            return !admitted && !(found.typesOnly && rule?.typesOf?.includes(found.written));
        };
        expect(violations(isWrong)).toEqual([]);
    });

    test('relative paths stay within a subfolder', () => {
        const isWrong = (found: Import, file: SourceFile): boolean =>
            found.written.startsWith('.') &&
            areaOf(found.target) !== areaOf(file.path) &&
            posix.dirname(found.target) !== posix.dirname(file.path);
        expect(violations(isWrong)).toEqual([]);
    });

    test('only the playground takes parts of the browser page', () => {
        const isOfPage = (path: string): boolean => isWithin(path, 'extension/page');
        const isWrong = (found: Import, file: SourceFile): boolean =>
            isOfPage(found.target) && !isOfPage(file.path) && !isWithin(file.path, 'extension/playground');
        expect(violations(isWrong)).toEqual([]);
    });

    test('paths name their files in full', () => {
        expect(violations(found => isProject(found) && !/\.(?:ts|tsx|json|css|py\?raw)$/u.test(found.written))).toEqual([]);
    });

    test('no circle has more than three files', () => {
        const graph = new DirectedGraph();
        for (const { path } of FILES) graph.addNode(path);
        for (const { path, imports } of FILES)
            for (const { target, dynamic } of imports) if (!dynamic && graph.hasNode(target)) graph.mergeEdge(path, target);
        expect(stronglyConnectedComponents(graph).filter(files => files.length > 3)).toEqual([]);
    });

    test('no two folders import each other but those that have a reason', () => {
        const folders = new Set(
            FILES.flatMap(({ path, imports }) => imports.flatMap(({ target }) => (isComposed(path, target) ? [] : [pairOf(path, target)]))),
        );
        const mutual = [...folders].filter(pair => {
            const [one = '', other = ''] = pair.split(' - ');
            return one < other && folders.has(`${other} - ${one}`);
        });
        expect(mutual.sort()).toEqual([...MUTUAL.keys()].sort());
    });

    test('a composer is not imported from what it puts together, which imports from its folder', () => {
        const composed = [...COMPOSERS].flatMap(([composer, folders]) => folders.map(folder => ({ composer, folder })));
        const inFolder = (folder: string): Import[] => FILES.flatMap(({ path, imports }) => (isWithin(path, folder) ? imports : []));
        expect(composed.filter(({ composer, folder }) => inFolder(folder).some(({ target }) => target === composer))).toEqual([]);
        const needless = composed.filter(
            ({ composer, folder }) =>
                !FILES.some(({ path, imports }) => path === composer && imports.some(({ target }) => isWithin(target, folder))) ||
                !inFolder(folder).some(({ target }) => posix.dirname(target) === posix.dirname(composer)),
        );
        expect(needless).toEqual([]);
    });

    test('a door starts another only through its main file', () => {
        const isWrong = (found: Import, file: SourceFile): boolean => {
            const own = DOORS.find(door => isWithin(file.path, door));
            const other = DOORS.find(door => isWithin(found.target, door));
            if (other === undefined || own === other || OTHER_HOUSES.get(other)?.some(house => isWithin(file.path, house))) return false;
            return !(found.dynamic && own !== undefined && found.target === `${other}/main.ts`);
        };
        expect(violations(isWrong)).toEqual([]);
    });
});

describe('effects', () => {
    test('language and engine reach no network', () => {
        const reaching = FILES.filter(file => isWithin(file.path, 'language') || isWithin(file.path, 'engine')).filter(file =>
            /\b(?:fetch|importScripts)\s*\(|\b(?:XMLHttpRequest|WebSocket|EventSource)\b/u.test(withoutComments(file.text)),
        );
        expect(reaching.map(file => file.path)).toEqual([]);
    });

    test('only the granted-file functions open files', () => {
        const wrong = FILES.flatMap(file => {
            const uses = file.imports.some(found => /^(?:node:)?fs(?:\/promises)?$/u.test(found.written) && !found.typesOnly);
            const allowed = FILE_SYSTEM.get(file.path);
            if (!uses || allowed === 'all') return [];
            const members = [...withoutComments(file.text).matchAll(/\bfs\.(\w+)/gu)].map(match => match[1] ?? '');
            const wholeModule = /^import fs from 'node:fs';$/mu.test(file.text);
            const excess = members.filter(member => !allowed?.includes(member));
            return wholeModule && excess.length === 0 && allowed !== undefined
                ? []
                : [`${file.path} uses the file system: ${excess.join(', ')}`];
        });
        expect(wrong).toEqual([]);
    });
});

function withoutComments(text: string): string {
    return text.replace(/\/\*[\s\S]*?\*\//gu, '').replace(/^\s*\/\/.*$/gmu, '');
}
