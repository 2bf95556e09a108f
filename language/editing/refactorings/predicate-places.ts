import { functionNamed } from '#language/library/function-catalogue.ts';
import type { Annotation, Atom, Clause } from '#language/program/program.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import { documentsSharing, programsWith, type Workspace } from '#language/symbols/workspace.ts';
import type { OpenDocument } from '../open-document.ts';
import { atomsIn } from './rule-parts.ts';

/** An atom of a predicate. */
export interface AtomPlace {
    readonly document: OpenDocument;
    readonly clause: Clause;
    readonly atom: Atom;
    readonly role: 'fact' | 'head' | 'positive' | 'negated';
}

/** An annotation whose first argument names a predicate. */
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
 * Every place that means a predicate, in all documents that share it. Nothing where one of them is no atom and no annotation
 * about it: a query, a relation function, a model that refers to it, a clause that cannot be read.
 */
export function predicatePlaces(workspace: Workspace, document: OpenDocument, name: string): PredicatePlaces | undefined {
    const atoms: AtomPlace[] = [];
    const annotations: AnnotationPlace[] = [];
    const sharing = documentsSharing(workspace, document, other => symbolsOf(other).named(name).length > 0);
    for (const other of sharing) {
        const clauses = new Map<Clause, number>();
        for (const { clause, mention } of symbolsOf(other).named(name)) {
            if (mention.kind === 'call' && functionNamed(name, other.analysed.libraryPrefixes) !== undefined) continue;
            if (mention.kind !== 'predicate' || clause.kind === 'broken' || !UNDERSTOOD.has(mention.role)) return undefined;
            clauses.set(clause, (clauses.get(clause) ?? 0) + 1);
        }
        for (const [clause, mentions] of clauses) {
            const found = atomsIn(clause).filter(({ atom }) => atom.predicate === name);
            const about = clause.annotations.filter(({ arguments: [first] }) => first?.kind === 'string' && isAbout(first.value, name));
            if (found.length + about.length !== mentions) return undefined;
            atoms.push(...found.map(place => ({ document: other, clause, ...place })));
            annotations.push(...about.map(annotation => ({ document: other, clause, annotation })));
        }
    }
    const documents = [...new Set(sharing.flatMap(other => programsWith(workspace, other)))];
    return { atoms, annotations, documents };
}

const UNDERSTOOD: ReadonlySet<string> = new Set(['fact', 'head', 'item', 'negated', 'annotation']);

/** The name, or the name form of a model without other predicates. */
function isAbout(argument: string, name: string): boolean {
    return argument.trim() === name;
}
