import { predicateName, uniqueName } from '#server/sources/program-names.ts';

export type TermKind = 'class' | 'property';

/** The predicate of a class or a property. */
export type NameOf = (iri: string, kind: TermKind) => string;

/** Gives each class and each property a predicate of its own, called like what stands behind the last `#`, `/` or `:` of its IRI. */
export function predicateNames(): NameOf {
    const given = { class: new Map<string, string>(), property: new Map<string, string>() };
    const taken = new Set<string>();
    return (iri, kind) => {
        const known = given[kind].get(iri);
        if (known !== undefined) return known;
        const free = uniqueName(predicateName(localName(iri)), '_', taken);
        given[kind].set(iri, free);
        return free;
    };
}

/** The last part of an IRI, with its escapes read. */
function localName(iri: string): string {
    const last = iri.split(/[#/:]+/u).findLast(part => part !== '') ?? iri;
    try {
        return decodeURIComponent(last);
    } catch {
        return last;
    }
}
