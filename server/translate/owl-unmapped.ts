import { say } from '#language/program/say.ts';
import type { Triple } from './rdf-triples.ts';

/** A statement that is left out, and its line, from 1. */
export interface Unmapped {
    readonly message: string;
    readonly line: number;
}

/** Statements to report at most. */
const MOST = 1_000;
const [RDFS, OWL] = ['http://www.w3.org/2000/01/rdf-schema#', 'http://www.w3.org/2002/07/owl#'];
const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
/** Properties for people, which programs need not know. */
const REMARKS = new Set([
    ...['label', 'comment', 'seeAlso', 'isDefinedBy'].map(name => `${RDFS}${name}`),
    ...['versionInfo', 'versionIRI', 'priorVersion', 'backwardCompatibleWith', 'incompatibleWith', 'deprecated'].map(
        name => `${OWL}${name}`,
    ),
]);
/** Types that say no more than what kind of thing something is. */
const KINDS = new Set(
    ['Ontology', 'NamedIndividual', 'Class', 'ObjectProperty', 'DatatypeProperty', 'AnnotationProperty', 'Thing'].map(
        name => `${OWL}${name}`,
    ),
);
const IMPORTS = `${OWL}imports`;

/**
 * Returns the statements of an ontology that give neither a rule nor a fact and are not remarks. Parts of an unnamed definition are
 * reported once, where the definition is used.
 */
export function unmappedStatements(triples: readonly Triple[], isMapped: (triple: Triple) => boolean): Unmapped[] {
    const used = new Set(triples.flatMap(({ object }) => (object.kind === 'blank' ? [object.value] : [])));
    const found: Unmapped[] = [];
    for (const triple of triples) {
        const { subject, predicate, object, line } = triple;
        const isPart = subject.kind === 'blank' && (used.has(subject.value) || predicate !== TYPE);
        const isRemark = REMARKS.has(predicate) || (predicate === TYPE && (KINDS.has(object.value) || object.value.startsWith(RDFS)));
        if (isPart || isRemark || isMapped(triple)) continue;
        if (found.push({ message: messageOf(triple), line }) === MOST) break;
    }
    return found;
}

function messageOf({ subject, predicate, object }: Triple): string {
    if (predicate === IMPORTS) return say`'${object.value}' is imported, and imports are not loaded: no rules come from it`;
    const [about, verb, other] = [subject.value, predicate, object.value].map(local);
    if (predicate === TYPE && subject.kind === 'blank') return say`no rule is written for '${other}'`;
    if (predicate === TYPE) return say`no rule is written for '${about}' being of the type '${other}'`;
    if (object.kind === 'blank') return say`no rule is written for '${verb}' of '${about}': its definition has no name`;
    return say`no rule is written for '${verb}' of '${about}'`;
}

function local(iri: string): string {
    return iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1) || iri;
}
