import fs from 'node:fs';
import { join } from 'node:path';

export interface Bundle {
    readonly bytes: number;
    /** Bytes of its modules, by their files. */
    readonly modules: Readonly<Record<string, number>>;
    /** Those that are loaded with it. */
    readonly loads: readonly string[];
}

/** What was built, by the names of bundles. */
export const BUNDLES: Readonly<Record<string, Bundle>> = JSON.parse(
    fs.readFileSync(join(import.meta.dirname, '../../dist/bundles.json'), 'utf8'),
);

/** Bundles, and those that are loaded together with them. */
export function loadedWith(names: readonly string[]): readonly Bundle[] {
    const all = new Set(names);
    for (const name of all) for (const loaded of BUNDLES[name]?.loads ?? []) all.add(loaded);
    return [...all].flatMap(name => BUNDLES[name] ?? []);
}
