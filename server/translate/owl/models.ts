import type { Triple } from '../rdf/triples.ts';
import { rdfs } from './vocabulary.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
/** Types of columns by datatype; other values are texts. */
const TYPES: ReadonlyMap<string, string> = new Map([
    ...['integer', 'int', 'long', 'nonNegativeInteger', 'positiveInteger'].map(name => [XSD + name, 'long'] as const),
    ...['decimal', 'double', 'float'].map(name => [XSD + name, 'double'] as const),
    [`${XSD}boolean`, 'boolean'],
    [`${XSD}date`, 'date'],
    [`${XSD}dateTime`, 'timestamp'],
]);

/** The types of the values of properties, by their IRIs, where an ontology states one datatype. */
export function valueTypes(triples: readonly Triple[]): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const several = new Set<string>();
    for (const { subject, predicate, object } of triples) {
        if (predicate !== rdfs('range')) continue;
        const type = TYPES.get(object.value) ?? 'string';
        if ((found.get(subject.value) ?? type) !== type) several.add(subject.value);
        found.set(subject.value, type);
    }
    for (const property of several) found.delete(property);
    return found;
}
