// esbuild, which notes the files of other packages whose code is in what it builds: the bill of materials is made of them.
import * as esbuild from 'esbuild';

/** Its file for Node loads others by names that no bundler sees. */
const ALIASES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

const used = new Set();

export async function build(options) {
    const result = await esbuild.build({ ...options, alias: { ...ALIASES, ...options.alias }, metafile: true });
    for (const { inputs } of Object.values(result.metafile.outputs)) {
        for (const [file, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) used.add(file);
    }
    return result;
}

/** Their paths from the root, sorted. */
export const usedFiles = () => [...used].filter(file => file.includes('node_modules/')).sort();
