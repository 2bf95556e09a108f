// Writes what follows from the catalogues: pages, the description of the platform API, the tools of the extension, the names in the
// TextMate grammar, and the grammar for tree-sitter, from which `tree-sitter generate --abi 14 src/grammar.json` makes its parser.
// Tests fail while these differ.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONTENTS = `
export { functionReference } from '#language/editing/function-reference.ts';
export { withLibraryNames } from '#language/editing/grammar-names.ts';
export { treeSitterGrammar } from '#language/editing/tree-sitter-grammar.ts';
export { withCurrentTables } from '#language/editing/language-reference.ts';
export { extensionTools } from '#server/tools/offered-tools.ts';
export { problemPages } from '#server/problem-help/problem-reference.ts';
export { openApiText } from '#server/protocol/platform/open-api.ts';`;
const GRAMMAR = 'syntaxes/rulelang.tmLanguage.json';

process.chdir(ROOT);
const folder = await mkdtemp(join(tmpdir(), 'rulelang-generate-'));
try {
    const outfile = join(folder, 'generated.mjs');
    const stdin = { contents: CONTENTS, resolveDir: ROOT, loader: 'ts' };
    await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile });
    const generated = await import(pathToFileURL(outfile).href);
    await mkdir('docs/problems', { recursive: true });
    for (const [name, text] of generated.problemPages()) await writeFile(`docs/problems/${name}`, text);
    await writeFile('docs/functions.md', generated.functionReference());
    for (const name of await readdir('docs/language')) {
        const page = `docs/language/${name}`;
        await writeFile(page, generated.withCurrentTables(await readFile(page, 'utf8')));
    }
    await writeFile('docs/openapi.json', generated.openApiText());
    await writeFile('extension/models/tools.json', generated.extensionTools());
    await writeFile(GRAMMAR, generated.withLibraryNames(await readFile(GRAMMAR, 'utf8')));
    await writeFile('syntaxes/tree-sitter/src/grammar.json', generated.treeSitterGrammar());
} finally {
    await rm(folder, { recursive: true });
}
