const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const OWL = 'http://www.w3.org/2002/07/owl#';

export const TYPE = `${RDF}type`;
export const rdf = (name: string): string => `${RDF}${name}`;
export const rdfs = (name: string): string => `${RDFS}${name}`;
export const owl = (name: string): string => `${OWL}${name}`;

/** Whether an IRI belongs to RDF, RDFS, OWL or XML Schema. */
export function isVocabulary(iri: string): boolean {
    return [RDF, RDFS, OWL, XSD].some(start => iri.startsWith(start));
}

/** Whether an IRI names one of the datatypes of RDF and XML Schema. */
export function isDatatype(iri: string): boolean {
    return iri.startsWith(XSD) || iri === rdf('langString') || iri === rdf('PlainLiteral') || iri === rdf('XMLLiteral');
}
