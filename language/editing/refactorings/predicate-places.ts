import type { OpenDocument } from '#language/document/open-document.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import type { Annotation, Atom, Clause } from '#language/program/program.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import { documentsSharing, programsWith, type Workspace } from '#language/symbols/workspace.ts';
import { atomsIn } from './rule-parts.ts';

/** An atom of a predicate. */
export interface AtomPlace {
    readonly document: OpenDocument;
    readonly clause: Clause;
    readonly atom: Atom;
    readonly role: 'fact' | 'head' | 'positive' | 'negated';
}

/** An annotation that names a predicate as its own. */
export interface AnnotationPlace {
    readonly document: OpenDocument;
    readonly clause: Clause;
    readonly annotation: Annotation;
}

export interface PredicatePlaces {
    readonly atoms: readonly AtomPlace[];
    readonly annotations: readonly AnnotationPlace[];
    /** The documents that have some of them, and those in a program with these. */
    readonly documents: readonly OpenDocument[];
}

/**
 * Finds every place of a predicate, in all documents that share it. Undefined if one of them is neither an atom nor an annotation about it:
 * a query, a relation function, a model that refers to it, a clause with a syntax error.
 */
export function predicatePlaces(workspace: Workspace, document: OpenDocument, name: string): PredicatePlaces | undefined {
    const atoms: AtomPlace[] = [];
    const annotations: AnnotationPlace[] = [];
    const sharing = documentsSharing(workspace, document, other => symbolsOf(other).named(name).length > 0);
    for (const other of sharing) {
        const clauses = new Map<Clause, number>();
        for (const { clause, mention } of symbolsOf(other).named(name)) {
            if (mention.kind === 'call' && functionNamed(name, other.analysed.libraryPrefixes) !== undefined) continue;
            if (mention.kind !== 'predicate' || clause.kind === 'broken') return undefined;
            if (mention.role === 'annotation') {
                const annotation = clause.annotations.find(({ span }) => span.start <= mention.span.start && mention.span.end <= span.end);
                if (annotation === undefined) return undefined;
                annotations.push({ document: other, clause, annotation });
            } else if (IN_ATOMS.has(mention.role)) clauses.set(clause, (clauses.get(clause) ?? 0) + 1);
            else return undefined;
        }
        for (const [clause, mentions] of clauses) {
            const found = atomsIn(clause).filter(({ atom }) => atom.predicate === name);
            if (found.length !== mentions) return undefined;
            atoms.push(...found.map(place => ({ document: other, clause, ...place })));
        }
    }
    const documents = programsWith(workspace, ...sharing);
    return { atoms, annotations, documents };
}

const IN_ATOMS: ReadonlySet<string> = new Set(['fact', 'head', 'item', 'negated']);
