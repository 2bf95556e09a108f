// Required by a process and its threads: says on standard error which files of the build each of them has read, and which modules of Node.
const fs = require('node:fs');
const { basename } = require('node:path');
const { threadId } = require('node:worker_threads');

const files = [];
const { readFileSync } = fs;
fs.readFileSync = (path, ...options) => {
    if (/[\\/]dist[\\/][^\\/]+\.js$/.test(String(path))) files.push(basename(String(path)));
    return readFileSync(path, ...options);
};
const before = new Set(process.moduleLoadList);
process.on('exit', () => {
    const modules = process.moduleLoadList.filter(name => !before.has(name) && name.startsWith('NativeModule '));
    fs.writeSync(2, `loads ${JSON.stringify({ threadId, files, modules: modules.map(name => name.split(' ')[1]) })}\n`);
});
