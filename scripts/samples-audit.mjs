import { csv } from './samples-data.mjs';

/** What the audit needs of a lock file (version 3): per installed folder its name, version, use and dependencies. */
export function lockSnapshot(lock) {
    const packages = {};
    for (const [folder, entry] of Object.entries(lock.packages)) {
        const kept = { version: entry.version };
        if (folder === '') kept.name = entry.name;
        if (entry.dev || entry.devOptional) kept.dev = true;
        if (entry.optional || entry.devOptional) kept.optional = true;
        for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
            if (Object.keys(entry[kind] ?? {}).length > 0) kept[kind] = entry[kind];
        }
        packages[folder] = kept;
    }
    return { packages };
}

/** Packages and the dependencies between them, each named `name@version`, in alphabetical order. */
export function auditData({ packages }) {
    const names = new Map(Object.keys(packages).map(folder => [folder, packageName(folder, packages[folder])]));
    const rows = new Map();
    const edges = new Map();
    for (const [folder, entry] of Object.entries(packages)) {
        const id = identity(folder);
        rows.set(id, [id, names.get(folder), entry.version, entry.dev === true ? 'development' : 'runtime']);
        const wanted = { ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies };
        for (const dependency of Object.keys(wanted)) {
            const found = resolve(folder, dependency);
            if (found !== undefined) edges.set(`${id} ${identity(found)}`, [id, identity(found)]);
        }
    }
    return {
        'packages.csv': csv(['id', 'name', 'version', 'use'], sorted(rows)),
        'dependencies.csv': csv(['package', 'dependency'], sorted(edges)),
    };

    function identity(folder) {
        return `${names.get(folder)}@${packages[folder].version}`;
    }

    /** The folder that Node finds when a package in `folder` asks for `dependency`; undefined where it is not installed. */
    function resolve(folder, dependency) {
        for (let from = folder; ; from = from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1))) {
            const candidate = `${from === '' ? '' : `${from}/`}node_modules/${dependency}`;
            if (candidate in packages) return candidate;
            if (from === '') return undefined;
        }
    }
}

function packageName(folder, entry) {
    return entry.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function sorted(rows) {
    return [...rows.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}
