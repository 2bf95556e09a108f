import { predicateName } from '#server/sources/inferred-program.ts';

/** Gives each IRI a predicate of its own, called like what stands behind its last `#`, `/` or `:`. */
export function predicateNames(): (iri: string, name: string) => string {
    const given = new Map<string, string>();
    const taken = new Set<string>();
    return (iri, name) => {
        const known = given.get(iri);
        if (known !== undefined) return known;
        const wanted = predicateName(name);
        let free = wanted;
        for (let n = 2; taken.has(free); n++) free = `${wanted}_${n}`;
        taken.add(free);
        given.set(iri, free);
        return free;
    };
}

/** The last part of an IRI, with its escapes read. */
export function localName(iri: string): string {
    const last = /[^#/:]+(?=[#/:]*$)/u.exec(iri)?.[0] ?? iri;
    try {
        return decodeURIComponent(last);
    } catch {
        return last;
    }
}
