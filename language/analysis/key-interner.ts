import { type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';

export type KeyInterner = (name: string, arity: number) => PredicateKey;

/** Gives equal keys as one string, so that the many maps over them hash it once. */
export function keyInterner(): KeyInterner {
    const known = new Map<string, PredicateKey[]>();
    return (name, arity) => {
        let keys = known.get(name);
        if (keys === undefined) {
            keys = [];
            known.set(name, keys);
        }
        const found = keys[arity];
        if (found !== undefined) return found;
        const key = predicateKey(name, arity);
        keys[arity] = key;
        return key;
    };
}
