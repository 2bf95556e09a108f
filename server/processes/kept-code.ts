import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

interface Loaded {
    exports: object;
}

type Program = (
    require: (name: string) => object,
    module: Loaded,
    exports: object,
    filename: string,
    /** The value of `import.meta.url`. */
    url: string,
) => void;

/** Set by the build alone: `all` keeps the code of all loaded modules anew, any other value only of those without. */
const kept = process.env.RULELANG_KEEP_CODE;
/** Flags of V8 for new processes, with their values if nothing sets them. */
const USUAL_FLAGS = { '--stack-size': 984, '--max-old-space-size': 0 } as const;
/** Whether they are so now. */
let areUsual = false;
const SET_FLAG = /^(--[\w-]+)=(\d+)$/u;

/**
 * Gives what loads the files of a folder that the build has made functions of what a module is given, by their names: `./NAME`. Whatever
 * else they need comes from `others`.
 *
 * Compiling takes longer than most of what is done then, so that the build keeps V8's code of each file beside it; the same V8 takes the
 * code instead. Another V8 refuses it, and compiles.
 */
export function keptCode(folder: string, others: (name: string) => object): (name: string) => object {
    const modules = new Map<string, Loaded>();
    const scripts = new Map<string, Script>();
    const load = (name: string): object => {
        const known = modules.get(name);
        if (known !== undefined) return known.exports;
        const path = join(folder, name);
        const script = scriptOf(path);
        scripts.set(path, script);
        const module = { exports: {} };
        modules.set(name, module);
        (script.runInThisContext() as Program)(require, module, module.exports, path, pathToFileURL(path).href);
        return module.exports;
    };
    const require = (name: string): object => (name.startsWith('./') ? withUsualFlags(() => load(name)) : others(name));
    if (kept !== undefined) process.once('exit', () => withUsualFlags(() => keep(scripts)));
    return name => withUsualFlags(() => load(name));
}

function scriptOf(path: string): Script {
    const cachedData = keptFor(path);
    const script = new Script(fs.readFileSync(path, 'latin1'), { filename: path, ...(cachedData && { cachedData }) });
    if (kept !== undefined && script.cachedDataRejected) throw new Error(`V8 refuses what it made of ${path}`);
    return script;
}

/** With what has been compiled since they were loaded. */
function keep(scripts: ReadonlyMap<string, Script>): void {
    for (const [path, script] of scripts) {
        if (kept === 'all' || script.cachedDataRejected === undefined) fs.writeFileSync(keptPath(path), script.createCachedData());
    }
}

function keptFor(path: string): Buffer | undefined {
    try {
        return fs.readFileSync(keptPath(path));
    } catch {
        return undefined;
    }
}

function keptPath(path: string): string {
    return `${path}.code`;
}

/**
 * V8 takes no code that was made with other flags. Those for memory have done their work when a process has started; threads that start
 * later read them again. A thread cannot change them without changing those of the others.
 */
function withUsualFlags<T>(work: () => T): T {
    if (!isMainThread || areUsual) return work();
    const given = process.execArgv.flatMap(argument => {
        const [, name = '', value = ''] = SET_FLAG.exec(argument) ?? [];
        return Object.hasOwn(USUAL_FLAGS, name) ? [{ name, value }] : [];
    });
    for (const { name } of given) setFlagsFromString(`${name}=${USUAL_FLAGS[name as keyof typeof USUAL_FLAGS]}`);
    areUsual = true;
    try {
        return work();
    } finally {
        areUsual = false;
        for (const { name, value } of given) setFlagsFromString(`${name}=${value}`);
    }
}
