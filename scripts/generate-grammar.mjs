// Writes the names of functions, aggregates and annotations from language/library into the TextMate grammar.
// With --check it only says whether the grammar has them.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GRAMMAR = `${ROOT}syntaxes/rulelang.tmLanguage.json`;
const SOURCE = `
export { functionNames } from '#language/library/function-catalogue.ts';
export { AGGREGATES } from '#language/library/aggregates.ts';
export { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';`;

const { outputFiles } = await build({
    stdin: { contents: SOURCE, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { functionNames, AGGREGATES, ANNOTATIONS } = await import(`data:text/javascript;base64,${code}`);

/** Longest first, so that no name hides one that it begins. */
const alternatives = names => [...new Set(names)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join('|');
const KEYWORDS = {
    functions: `(?<![\\w:])(?:${alternatives(functionNames())})(?=\\s*\\()`,
    aggregates: `(?<![\\w:])(?:${alternatives(Object.keys(AGGREGATES))})(?=\\s*\\()`,
    'annotation-names': `\\b(?:${alternatives([...ANNOTATIONS.keys()])})\\b`,
};

const text = await readFile(GRAMMAR, 'utf8');
const grammar = JSON.parse(text);
for (const [rule, match] of Object.entries(KEYWORDS)) grammar.repository[rule].match = match;
const generated = `${JSON.stringify(grammar, null, 4)}\n`;
if (!process.argv.includes('--check')) await writeFile(GRAMMAR, generated);
else if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(grammar)) {
    console.error('The TextMate grammar lacks names of the library: run node scripts/generate-grammar.mjs');
    process.exitCode = 1;
}
