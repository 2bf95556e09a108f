import { type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import type { Predicate } from '#language/program/analysed-program.ts';
import type { Atom, Clause } from '#language/program/program.ts';
import { nodeAt } from './node-at.ts';
import { predicateMeant } from './predicates-named.ts';
import { ruleAtoms } from './rule-atoms.ts';

/** A predicate that a place is about. */
export interface AtomAt {
    readonly predicate: Predicate;
    /** The atom, or the name of the predicate where an annotation or a query names it. */
    readonly range: TextRange;
    readonly clause: Clause;
}

/** The predicate named at an offset, else that of the atom around it, else that of the first head of its clause. */
export function atomAt(document: OpenDocument, offset: number): AtomAt | undefined {
    const { analysed } = document;
    const clause = document.clauseAt(offset);
    const around = clause && atomAround(document, clause, offset);
    const named = nodeAt(document, offset);
    if (named?.mention.kind === 'predicate' && around?.range.start !== named.range.start) {
        const predicate = predicateMeant(analysed, named.mention.name, named.mention.terms);
        return predicate && { predicate, range: named.range, clause: named.clause };
    }
    return around;
}

function atomAround(document: OpenDocument, clause: Clause, offset: number): AtomAt | undefined {
    const { analysed } = document;
    if (clause.kind === 'fact') return atomOf(document, clause, clause.atom);
    if (clause.kind !== 'rule') return undefined;
    const atoms = [...ruleAtoms(document, rangeOf(clause))];
    const atom = atoms.find(({ range }) => range.start <= offset && offset <= range.end) ?? atoms.find(({ part }) => part === 'head');
    const predicate = atom && analysed.predicates.get(atom.predicate);
    return atom && predicate && { predicate, range: atom.range, clause };
}

function atomOf({ analysed }: OpenDocument, clause: Clause, { predicate: name, arguments: terms, span }: Atom): AtomAt | undefined {
    const predicate = predicateMeant(analysed, name, terms.length);
    return predicate && { predicate, range: rangeOf({ place: clause.place, span }), clause };
}
