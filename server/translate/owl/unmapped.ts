import { say } from '#language/program/say.ts';
import type { Triple } from '../rdf/triples.ts';
import type { Told } from './axioms.ts';
import { owl, rdf, rdfs, TYPE } from './vocabulary.ts';

/** A statement that is left out or told in part, and its line, from 1. */
export interface Unmapped {
    readonly message: string;
    readonly line: number;
    /** The IRI of an imported document that has the line. */
    readonly document?: string;
}

/** Statements to report at most. */
const MOST = 1_000;
/** Properties for people, which programs need not know. */
const REMARKS: ReadonlySet<string> = new Set([
    ...['label', 'comment', 'seeAlso', 'isDefinedBy'].map(rdfs),
    ...['versionInfo', 'versionIRI', 'priorVersion', 'backwardCompatibleWith', 'incompatibleWith', 'deprecated'].map(owl),
]);
/** Types that say no more than what kind of thing something is. */
const KINDS: ReadonlySet<string> = new Set([
    ...['Ontology', 'NamedIndividual', 'Class', 'ObjectProperty', 'DatatypeProperty', 'AnnotationProperty', 'OntologyProperty'].map(owl),
    ...['Thing', 'Axiom', 'Annotation', 'DeprecatedClass', 'DeprecatedProperty', 'Restriction', 'DataRange'].map(owl),
    rdf('Property'),
    rdf('List'),
]);
/** Statements that a class or a property without a name may begin. */
const OF_UNNAMED: ReadonlySet<string> = new Set([
    ...['subClassOf', 'subPropertyOf', 'domain', 'range'].map(rdfs),
    ...['equivalentClass', 'disjointWith', 'disjointUnionOf', 'hasKey', 'equivalentProperty', 'propertyDisjointWith'].map(owl),
    ...['propertyChainAxiom', 'sameAs', 'differentFrom'].map(owl),
]);
const IMPORTS = owl('imports');

/** The parts of an ontology that its program has. */
export interface MappedParts {
    /** How much of a statement the program tells. */
    readonly told: (triple: Triple) => Told;
    readonly annotations: ReadonlySet<string>;
    /** Statements whose rules match known individuals alone. */
    readonly restricted: ReadonlySet<Triple>;
    /** The IRIs of imported documents whose statements are among the others. */
    readonly loaded: ReadonlySet<string>;
}

/**
 * Returns the statements of an ontology that the program lacks or tells only in part, and that are not remarks. Parts of an unnamed
 * definition are reported once, where the definition is used.
 */
export function unmappedStatements(triples: readonly Triple[], { told, annotations, restricted, loaded }: MappedParts): Unmapped[] {
    const used = new Set(triples.flatMap(({ object }) => (object.kind === 'blank' ? [object.value] : [])));
    const found: Unmapped[] = [];
    for (const triple of triples) {
        const { subject, predicate, object, line, document } = triple;
        const isPart = subject.kind === 'blank' && !OF_UNNAMED.has(predicate) && (used.has(subject.value) || predicate !== TYPE);
        const isKind = predicate === TYPE && (KINDS.has(object.value) || object.value.startsWith(rdfs('')));
        const how = predicate === IMPORTS && loaded.has(object.value) ? 'all' : told(triple);
        const isLeft =
            !(isPart || isKind || REMARKS.has(predicate) || annotations.has(predicate)) || restricted.has(triple) || how === 'part';
        if (!isLeft || (how === 'all' && !restricted.has(triple))) continue;
        const message = how === 'all' || how === 'part' ? partMessage(triple, how) : messageOf(triple);
        if (found.push({ message, line, ...(document !== undefined && { document }) }) === MOST) break;
    }
    return found;
}

function partMessage({ subject, predicate, object }: Triple, how: 'all' | 'part'): string {
    const name = predicate === TYPE ? (object.kind === 'blank' ? 'type' : local(object.value)) : local(predicate);
    const about = subject.kind === 'blank' ? '[]' : local(subject.value);
    if (how === 'part') return say`the rules tell only a part of '${name}' of '${about}'`;
    return say`the rules apply '${name}' of '${about}' to known individuals alone: with unknown ones they would not end`;
}

function messageOf({ subject, predicate, object }: Triple): string {
    if (predicate === IMPORTS) return say`'${object.value}' is imported, and imports are not loaded: no rules come from it`;
    const [about, verb, other] = [subject.value, predicate, object.value].map(local);
    if (predicate === TYPE && subject.kind === 'blank') return say`no rule is written for '${other}'`;
    if (object.kind === 'blank') return say`no rule is written for '${verb}' of '${about}': no rule can tell its definition`;
    if (predicate === TYPE) return say`no rule is written for '${about}' being of the type '${other}'`;
    return say`no rule is written for '${verb}' of '${about}'`;
}

function local(iri: string): string {
    return iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1) || iri;
}
