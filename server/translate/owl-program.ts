import { printString } from '#language/program/print-constant.ts';
import { type DataFile, dataFiles } from './owl-data.ts';
import { type Unmapped, unmappedStatements } from './owl-unmapped.ts';
import { type NameOf, predicateNames, type TermKind } from './predicate-names.ts';
import { factReader, factText, textOf } from './rdf-program.ts';
import type { Triple } from './rdf-triples.ts';
import { StatementCount } from './statement-count.ts';

/** Parts of a program beside rules and facts. */
export interface OwlParts {
    /** Comments that describe classes and properties. */
    readonly includeSchema: boolean;
    /** Constraints for classes that are disjoint. */
    readonly includeNotRules: boolean;
    /** The folder for files of facts about individuals; absent if they go into the program. */
    readonly dataFolder?: string;
}

/** The rules of an ontology, and what it says of individuals, as a program. */
export interface OwlProgram {
    /** Columns of predicates by their names. */
    readonly predicates: Readonly<Record<string, string[]>>;
    readonly rules: readonly string[];
    readonly program: string;
    readonly counts: { readonly class_count: number; readonly property_count: number; readonly individual_count: number };
    /** The IRIs of the ontologies that it imports. */
    readonly imports: readonly string[];
    readonly files: readonly DataFile[];
    /** Statements that gave neither a rule nor a fact. */
    readonly unmapped: readonly Unmapped[];
}

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
const OWL = 'http://www.w3.org/2002/07/owl#';
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const TYPE = `${RDF}type`;
const CLASS_TYPES = new Set([`${OWL}Class`, `${RDFS}Class`]);
const PROPERTY_TYPES = new Set([
    `${RDF}Property`,
    ...['Object', 'Datatype', 'Transitive', 'Symmetric', 'Asymmetric', 'Functional', 'InverseFunctional', 'Reflexive', 'Irreflexive'].map(
        kind => `${OWL}${kind}Property`,
    ),
]);
/** Statements between two classes, and between two properties. */
const BETWEEN_CLASSES = new Set([`${RDFS}subClassOf`, `${OWL}equivalentClass`, `${OWL}disjointWith`]);
const BETWEEN_PROPERTIES = new Set([`${RDFS}subPropertyOf`, `${OWL}equivalentProperty`, `${OWL}inverseOf`]);
const OF_PROPERTIES = new Set([`${RDFS}domain`, `${RDFS}range`]);

/** A statement between two IRIs; others define what has no name, or are about individuals. */
interface Named {
    readonly subject: string;
    readonly predicate: string;
    readonly object: string;
    readonly triple: Triple;
}

/** Translates what an ontology says of named classes and properties; definitions without a name give no rule. Refuses a document that says too much. */
export function owlProgram(triples: readonly Triple[], { includeSchema, includeNotRules, dataFolder }: OwlParts): OwlProgram {
    const { classes, properties } = entitiesOf(triples);
    const facts = triples.filter(({ subject, predicate, object }) => {
        if (classes.has(subject.value) || properties.has(subject.value)) return false;
        return predicate === TYPE ? object.kind === 'iri' && classes.has(object.value) : !isVocabulary(predicate);
    });
    for (const { predicate } of facts) if (predicate !== TYPE) properties.add(predicate);
    const nameOf = predicateNames();
    const predicates = Object.fromEntries(columnsOf({ classes, properties, nameOf }));
    const count = new StatementCount();
    const rules = new Set<string>();
    const mapped = new Set<Triple>(facts);
    const individuals = new Set(facts.map(({ subject }) => subject.value));
    const imports: string[] = [];
    for (const statement of namedIn(triples)) {
        const written = rulesOf(statement, { classes, properties, nameOf, includeNotRules });
        if (written.length > 0 || (statement.predicate === TYPE && statement.object === `${RDF}Property`)) mapped.add(statement.triple);
        for (const rule of written) {
            count.write(rule.length);
            rules.add(rule);
        }
        if (statement.predicate === TYPE && statement.object === `${OWL}NamedIndividual`) individuals.add(statement.subject);
        if (statement.predicate === `${OWL}imports`) imports.push(statement.object);
    }
    const read = factReader(nameOf);
    const files = dataFolder === undefined ? [] : dataFiles(facts.map(read), name => predicates[name] ?? [], dataFolder);
    const described = function* (kind: TermKind, iris: ReadonlySet<string>): Iterable<string> {
        for (const iri of iris) yield `% ${kind} ${nameOf(iri, kind)}: ${iri.replaceAll(/\s/gu, encodeURIComponent)}`;
    };
    const lines = function* (): Iterable<string> {
        const outputs = new Set<string>();
        if (includeSchema) {
            yield* described('class', classes);
            yield* described('property', properties);
        }
        for (const { predicate, annotation, rule } of files) {
            yield annotation;
            yield rule;
            outputs.add(predicate);
        }
        for (const rule of rules) {
            yield rule;
            if (!rule.startsWith('#F')) outputs.add(rule.slice(0, rule.indexOf('(')));
        }
        for (const triple of dataFolder === undefined ? facts : []) {
            const fact = read(triple);
            yield factText(fact);
            outputs.add(fact.predicate);
        }
        for (const name of outputs) yield `@output(${printString(name)}).`;
    };
    return {
        predicates,
        rules: [...rules],
        program: textOf(lines()),
        counts: { class_count: classes.size, property_count: properties.size, individual_count: individuals.size },
        files,
        imports,
        unmapped: unmappedStatements(triples, triple => mapped.has(triple)),
    };
}

function* namedIn(triples: readonly Triple[]): Iterable<Named> {
    for (const triple of triples) {
        const { subject, predicate, object } = triple;
        if (subject.kind === 'iri' && object.kind === 'iri') yield { subject: subject.value, predicate, object: object.value, triple };
    }
}

interface Entities {
    readonly classes: ReadonlySet<string>;
    readonly properties: ReadonlySet<string>;
    readonly nameOf: NameOf;
}

function* columnsOf({ classes, properties, nameOf }: Entities): Iterable<[string, string[]]> {
    const [ofClass, ofProperty] = [['id'], ['subject', 'object']];
    for (const iri of classes) yield [nameOf(iri, 'class'), ofClass];
    for (const iri of properties) yield [nameOf(iri, 'property'), ofProperty];
}

function entitiesOf(triples: readonly Triple[]): { readonly classes: Set<string>; readonly properties: Set<string> } {
    const classes = new Set<string>();
    const properties = new Set<string>();
    const add = (to: Set<string>, ...iris: readonly string[]): void => {
        for (const iri of iris) if (!isVocabulary(iri)) to.add(iri);
    };
    for (const { subject, predicate, object } of namedIn(triples)) {
        if (predicate === TYPE && CLASS_TYPES.has(object)) add(classes, subject);
        else if (predicate === TYPE && PROPERTY_TYPES.has(object)) add(properties, subject);
        else if (BETWEEN_CLASSES.has(predicate)) add(classes, subject, object);
        else if (BETWEEN_PROPERTIES.has(predicate)) add(properties, subject, object);
        else if (OF_PROPERTIES.has(predicate)) {
            add(properties, subject);
            add(classes, object);
        }
    }
    return { classes, properties };
}

function isVocabulary(iri: string): boolean {
    return [RDF, RDFS, OWL, XSD].some(start => iri.startsWith(start));
}

interface Naming extends Entities {
    readonly includeNotRules: boolean;
}

function rulesOf({ subject, predicate, object }: Named, { classes, properties, nameOf, includeNotRules }: Naming): string[] {
    const areClasses = classes.has(subject) && classes.has(object);
    const areProperties = properties.has(subject) && properties.has(object);
    const isOfProperty = properties.has(subject) && classes.has(object);
    const [c, d] = [() => nameOf(subject, 'class'), () => nameOf(object, 'class')];
    const [p, q] = [() => nameOf(subject, 'property'), () => nameOf(object, 'property')];
    switch (predicate) {
        case `${RDFS}subClassOf`:
            return areClasses ? [`${d()}(X) :- ${c()}(X).`] : [];
        case `${OWL}equivalentClass`:
            return areClasses ? [`${d()}(X) :- ${c()}(X).`, `${c()}(X) :- ${d()}(X).`] : [];
        case `${OWL}disjointWith`:
            return areClasses && includeNotRules ? [`#F :- ${c()}(X), ${d()}(X).`] : [];
        case `${RDFS}subPropertyOf`:
            return areProperties ? [`${q()}(X,Y) :- ${p()}(X,Y).`] : [];
        case `${OWL}equivalentProperty`:
            return areProperties ? [`${q()}(X,Y) :- ${p()}(X,Y).`, `${p()}(X,Y) :- ${q()}(X,Y).`] : [];
        case `${OWL}inverseOf`:
            return areProperties ? [`${q()}(Y,X) :- ${p()}(X,Y).`, `${p()}(Y,X) :- ${q()}(X,Y).`] : [];
        case `${RDFS}domain`:
            return isOfProperty ? [`${d()}(X) :- ${p()}(X,_).`] : [];
        case `${RDFS}range`:
            return isOfProperty ? [`${d()}(Y) :- ${p()}(_,Y).`] : [];
        case TYPE:
            if (object === `${OWL}SymmetricProperty`) return [`${p()}(Y,X) :- ${p()}(X,Y).`];
            return object === `${OWL}TransitiveProperty` ? [`${p()}(X,Z) :- ${p()}(X,Y), ${p()}(Y,Z).`] : [];
        default:
            return [];
    }
}
