// Bundles the modules that processes and threads start with, or load later, into dist/, with their common parts beside them.
//
// Node keeps nothing of what V8 compiles of modules before Node 22, and they are compiled as a whole. So each is made a function of what a
// CommonJS module is given, which `server/processes/kept-code.ts` loads with V8's code; `NAME.mjs`, which the world sees, has that done.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { transform } from 'esbuild';
import { inAscii } from './in-ascii.mjs';
import { MODULES } from './modules.mjs';
import { build } from './noted-build.mjs';

export async function buildModules(common) {
    const { outputFiles, metafile } = await build({
        ...common,
        define: { ...common.define, 'import.meta.url': '$url' },
        write: false,
        format: 'esm',
        splitting: true,
        entryPoints: MODULES,
        // It has native parts, which it finds beside itself among the installed packages. `serve` and SQL queries load it.
        external: ['@duckdb/node-api'],
        chunkNames: 'chunk-[hash]',
    });
    await mkdir('dist', { recursive: true });
    const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
    const names = [...texts.keys()].filter(name => name.endsWith('.js'));
    await Promise.all(names.map(name => writeFunction(name, texts.get(name), texts.get(`${name}.map`))));
    await Promise.all(Object.keys(MODULES).map(name => writeModule(name, metafile.outputs[`dist/${name}.js`].exports)));
}

async function writeFunction(name, text, textMap) {
    const asModule = `${text}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(textMap).toString('base64')}`;
    const { code, map } = await transform(asModule, {
        format: 'cjs',
        platform: 'node',
        target: 'node20',
        supported: { 'dynamic-import': false },
        minifySyntax: true,
        minifyWhitespace: true,
        sourcemap: 'external',
    });
    // In the first line, so that the source map stays right.
    const program = `(function (require, module, exports, __filename, $url) {${inAscii(code)}\n})`;
    await Promise.all([writeFile(`dist/${name}`, program), writeFile(`dist/${name}.map`, map)]);
}

async function writeModule(name, exported) {
    const loaded = `load('./${name}.js')`;
    const given = exported.length === 0 ? loaded : `export const { ${exported.join(', ')} } = ${loaded}`;
    await writeFile(`dist/${name}.mjs`, `import { load } from './load.js';\n${given};\n`);
}
