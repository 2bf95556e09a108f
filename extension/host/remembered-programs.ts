import type { Memento, Uri } from 'vscode';

/** Programs of which something is remembered; those of which it was said longest ago are forgotten. */
const MOST = 200;

/** One thing that a workspace remembers of each of its programs. */
export interface RememberedPrograms<T> {
    all(): readonly T[];
    of(document: Uri): T | undefined;
    put(value: T): Promise<void>;
    forget(document: Uri): void;
}

export function rememberedPrograms<T extends { readonly uri: string }>(state: Memento, key: string): RememberedPrograms<T> {
    const all = (): readonly T[] => state.get<readonly T[]>(key, []);
    const without = (uri: string): readonly T[] => all().filter(known => known.uri !== uri);
    return {
        all,
        of: document => all().find(({ uri }) => uri === document.toString()),
        put: async value => state.update(key, [...without(value.uri), value].slice(-MOST)),
        forget(document) {
            const others = without(document.toString());
            if (others.length < all().length) void state.update(key, others);
        },
    };
}
