import { uniqueName } from '#language/library/unique-name.ts';
import { predicateName } from '#server/sources/program-names.ts';

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

const SEPARATORS = '#/:';

/** The last part of an IRI, with its escapes read. */
function localName(iri: string): string {
    let end = iri.length;
    while (end > 0 && SEPARATORS.includes(iri.charAt(end - 1))) end--;
    let start = end;
    while (start > 0 && !SEPARATORS.includes(iri.charAt(start - 1))) start--;
    const last = end === 0 ? iri : iri.slice(start, end);
    if (!last.includes('%')) return last;
    try {
        return decodeURIComponent(last);
    } catch {
        return last;
    }
}
