// esbuild, which notes what is in what it builds: the files of other packages, of which the bill of materials is made, and what each bundle
// of Node consists of, which a test compares with what a command may load.
import * as esbuild from 'esbuild';

/** Its file for Node loads others by names that no bundler sees. */
const ALIASES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

const BUNDLE = /^dist\/([^/]+\.m?js)$/;

const used = new Set();
const bundles = {};

export async function build(options) {
    const loader = { '.py': 'text', ...options.loader };
    const result = await esbuild.build({ ...options, alias: { ...ALIASES, ...options.alias }, loader, metafile: true });
    for (const [output, { bytes, inputs, imports }] of Object.entries(result.metafile.outputs)) {
        const [, name] = BUNDLE.exec(output) ?? [];
        if (name !== undefined) bundles[name] = { bytes, modules: sizesOf(inputs), loads: bundlesOf(imports) };
        for (const [file, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) used.add(file);
    }
    return result;
}

const sizesOf = inputs => Object.fromEntries(Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]));

/** Those that come with a bundle, and not when it asks for them. */
const bundlesOf = imports =>
    imports.flatMap(({ path, kind }) => (kind === 'import-statement' && BUNDLE.test(path) ? path.replace(BUNDLE, '$1') : []));

/** Each bundle of Node with the bytes of its modules, and the bundles that it loads at once. */
export const builtBundles = () => bundles;

/** Their paths from the root, sorted. */
export const usedFiles = () => [...used].filter(file => file.includes('node_modules/')).sort();
