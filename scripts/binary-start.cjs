// Begins the single executable file. Node runs one script of such a file and reads all others from a disk, so that the first start
// unpacks the program into the user's cache; `serve` and `lsp` unpack the packages for them, and a Node for their processes, and
// programs with SQL queries the packages alone.
const fs = require('node:fs');
const { createRequire } = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const { gunzipSync } = require('node:zlib');

/** The byte behind it says whether Node begins with a script of its own file. */
const FUSE = ['NODE_SEA_FUSE', 'fce680ab2cc467b6e072b8b5df1996b2:'].join('_');

const { id, program, services } = JSON.parse(getAsset('files.json', 'utf8'));
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'rulelang');
const folder = path.join(cache, id);
try {
    if (!fs.existsSync(folder)) makeFolder();
    if (['serve', 'lsp'].includes(process.argv[2])) process.execPath = plainNode();
    else if (process.argv.slice(3).some(hasQuery)) makePackages();
} catch (error) {
    process.stderr.write(`rulelang: cannot unpack itself into ${cache}: ${error.message}; XDG_CACHE_HOME names another folder\n`);
    process.exit(1);
}
const main = path.join(folder, 'dist/cli.js');
process.argv[1] = main;
createRequire(main)(main);

/** All or nothing: another start may do the same at this moment. */
function makeFolder() {
    fs.mkdirSync(cache, { recursive: true, mode: 0o700 });
    const unfinished = fs.mkdtempSync(path.join(cache, 'unpacking-'));
    unpack(program, unfinished);
    try {
        fs.renameSync(unfinished, folder);
    } catch (error) {
        fs.rmSync(unfinished, { recursive: true });
        if (!fs.existsSync(folder)) throw error;
    }
}

/** This file as a Node that takes its script and options from the command line; it is written last. */
function plainNode() {
    const node = path.join(folder, 'node');
    if (fs.existsSync(node)) return node;
    makePackages();
    const bytes = fs.readFileSync(process.execPath);
    bytes[bytes.indexOf(`${FUSE}1`) + FUSE.length] = '0'.charCodeAt(0);
    writeWhole(node, bytes, 0o700);
    return node;
}

function makePackages() {
    const made = path.join(folder, 'packages');
    if (fs.existsSync(made)) return;
    unpack(services, folder);
    writeWhole(made, '', 0o600);
}

/** Whether an argument names a program in which a rule seems to have a query. */
function hasQuery(name) {
    try {
        return name.endsWith('.rulelang') && /(?:<-|:-)\s*(?:select|with)\b/i.test(fs.readFileSync(name, 'utf8'));
    } catch {
        return false;
    }
}

function unpack(files, to) {
    for (const file of files) {
        const target = path.join(to, file);
        fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
        writeWhole(target, gunzipSync(Buffer.from(getRawAsset(file))), 0o600);
    }
}

function writeWhole(target, bytes, mode) {
    const unfinished = `${target}.${process.pid}`;
    fs.writeFileSync(unfinished, bytes, { mode });
    fs.renameSync(unfinished, target);
}
