import type { Literal, Resource, Triple } from '../rdf/triples.ts';
import type { OwlExpressions } from './expressions.ts';
import { isDatatype, isVocabulary, owl, rdf, rdfs, TYPE } from './vocabulary.ts';

/** The names in an ontology, by what it uses them for. A name may be used for several. */
export interface OwlEntities {
    readonly classes: ReadonlySet<string>;
    readonly properties: Set<string>;
    /** Properties whose values are data. */
    readonly data: ReadonlySet<string>;
    /** Properties that ontologies describe and reasoners leave alone. */
    readonly annotations: ReadonlySet<string>;
}

const CLASS_TYPES: ReadonlySet<string> = new Set([owl('Class'), rdfs('Class')]);
const PROPERTY_TYPES: ReadonlySet<string> = new Set([
    rdf('Property'),
    ...['Object', 'Datatype', 'Transitive', 'Symmetric', 'Asymmetric', 'Functional', 'InverseFunctional', 'Reflexive', 'Irreflexive'].map(
        kind => owl(`${kind}Property`),
    ),
]);
type Use = 'class' | 'property';
/** Uses of the subject and the object of a statement, or of the members of the list that its object is. */
const USES: ReadonlyMap<string, { readonly subject?: Use; readonly object?: Use; readonly members?: Use }> = new Map([
    [rdfs('subClassOf'), { subject: 'class', object: 'class' }],
    [owl('equivalentClass'), { subject: 'class', object: 'class' }],
    [owl('disjointWith'), { subject: 'class', object: 'class' }],
    [owl('complementOf'), { subject: 'class', object: 'class' }],
    [owl('intersectionOf'), { subject: 'class', members: 'class' }],
    [owl('unionOf'), { subject: 'class', members: 'class' }],
    [owl('disjointUnionOf'), { subject: 'class', members: 'class' }],
    [owl('oneOf'), { subject: 'class' }],
    [owl('hasKey'), { subject: 'class', members: 'property' }],
    [rdfs('subPropertyOf'), { subject: 'property', object: 'property' }],
    [owl('equivalentProperty'), { subject: 'property', object: 'property' }],
    [owl('inverseOf'), { subject: 'property', object: 'property' }],
    [owl('propertyDisjointWith'), { subject: 'property', object: 'property' }],
    [owl('propertyChainAxiom'), { subject: 'property', members: 'property' }],
    [rdfs('domain'), { subject: 'property', object: 'class' }],
    [rdfs('range'), { subject: 'property', object: 'class' }],
    [owl('onProperty'), { object: 'property' }],
    [owl('assertionProperty'), { object: 'property' }],
    [owl('someValuesFrom'), { object: 'class' }],
    [owl('allValuesFrom'), { object: 'class' }],
    [owl('onClass'), { object: 'class' }],
    [TYPE, { object: 'class' }],
]);

/** The datatypes that a document declares. */
export function declaredDatatypes(triples: readonly Triple[]): Set<string> {
    return new Set(triples.flatMap(triple => (isType(triple, rdfs('Datatype')) ? [triple.subject.value] : [])));
}

export function entitiesOf(triples: readonly Triple[], read: OwlExpressions, datatypes: ReadonlySet<string>): OwlEntities {
    const used = { class: new Set<string>(), property: new Set<string>() };
    const annotations = new Set(triples.flatMap(triple => (isType(triple, owl('AnnotationProperty')) ? [triple.subject.value] : [])));
    const add = (use: Use | undefined, node: Resource | Literal): void => {
        const isName = use !== undefined && node.kind === 'iri' && !isVocabulary(node.value);
        if (isName && !(use === 'class' ? datatypes : annotations).has(node.value)) used[use].add(node.value);
    };
    for (const triple of triples) {
        const { subject, predicate, object } = triple;
        if (predicate === TYPE && object.kind === 'iri') {
            if (CLASS_TYPES.has(object.value)) add('class', subject);
            else if (PROPERTY_TYPES.has(object.value)) add('property', subject);
        }
        const use = USES.get(predicate);
        if (use === undefined) continue;
        add(use.subject, subject);
        if (use.object !== undefined) add(use.object, object);
        if (use.members !== undefined) for (const member of read.list(object) ?? []) add(use.members, member);
    }
    return { classes: used.class, properties: used.property, data: dataProperties(triples, datatypes), annotations };
}

function dataProperties(triples: readonly Triple[], datatypes: ReadonlySet<string>): Set<string> {
    const data = new Set<string>();
    const objects = new Set<string>();
    for (const triple of triples) {
        const { subject, predicate, object } = triple;
        const isRange =
            predicate === rdfs('range') && (isDatatype(object.value) || object.value === rdfs('Literal') || datatypes.has(object.value));
        if (isRange || isType(triple, owl('DatatypeProperty'))) data.add(subject.value);
        if (isType(triple, owl('ObjectProperty'))) objects.add(subject.value);
        if (object.kind === 'literal' && !isVocabulary(predicate)) data.add(predicate);
    }
    for (const property of objects) data.delete(property);
    return data;
}

/**
 * The statements about individuals. Of a name that is also a class or a property, statements with a declared property and types count; others
 * are remarks.
 */
export function* individualStatements(triples: readonly Triple[], entities: OwlEntities): Iterable<Triple> {
    const declared = new Set(triples.flatMap(triple => (isOfDeclaration(triple) ? [triple.subject.value] : [])));
    for (const triple of triples) {
        const { subject, predicate, object } = triple;
        const isMore = subject.kind === 'iri' && (entities.classes.has(subject.value) || entities.properties.has(subject.value));
        if (predicate === TYPE) {
            if (object.kind === 'iri' && entities.classes.has(object.value)) yield triple;
        } else if (predicate === owl('sameAs')) {
            if (object.kind !== 'literal' && !isMore) yield triple;
        } else if (!isVocabulary(predicate) && !entities.annotations.has(predicate) && (!isMore || declared.has(predicate))) yield triple;
    }
}

function isOfDeclaration({ predicate, object }: Triple): boolean {
    return predicate === TYPE && (object.value === owl('ObjectProperty') || object.value === owl('DatatypeProperty'));
}

function isType({ predicate, object }: Triple, type: string): boolean {
    return predicate === TYPE && object.kind === 'iri' && object.value === type;
}
