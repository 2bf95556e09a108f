import { rdfXmlTriples } from './rdf-xml.ts';
import { turtleTriples } from './turtle.ts';

/** A statement of an RDF document. */
export interface Triple {
    readonly subject: Resource;
    /** The IRI of the property. */
    readonly predicate: string;
    readonly object: Resource | Literal;
    /** The line of the document where it ends, from 1. */
    readonly line: number;
    /** The IRI of the document, if another one imports it. */
    readonly document?: string;
}

export type Resource = { readonly kind: 'iri' | 'blank'; readonly value: string };

export interface Literal {
    readonly kind: 'literal';
    readonly value: string;
    /** The IRI of its datatype. */
    readonly datatype: string;
}

/** A reason why a document is not RDF; line and column count from 1. */
export interface RdfProblem {
    readonly message: string;
    readonly line: number;
    readonly column: number;
}

/** The statements of a document. */
export interface ReadTriples {
    readonly kind: 'triples';
    readonly format: 'turtle' | 'n3' | 'rdfxml';
    readonly triples: readonly Triple[];
    /** The lines, from 1, of what the document has and does not state. */
    readonly unstated: readonly number[];
}

export type ReadRdf = ReadTriples | { readonly kind: 'refused'; readonly problem: RdfProblem };

/**
 * Reads RDF/XML, or Turtle, of which N-Triples is a part, or else N3. What stands inside the formulas of N3, or has variables, is not
 * stated by the document and left out. Relative IRIs follow `base`, and stay as they are without one.
 */
export function rdfTriples(text: string, base?: string): ReadRdf {
    if (/^\ufeff?\s*<(?:\?xml|!DOCTYPE|!--|[A-Za-z_][\w.-]*:RDF[\s>])/u.test(text)) return xmlDocument(text, base);
    return turtleTriples(text.replace(/^\ufeff/u, ''), base);
}

function xmlDocument(text: string, base: string | undefined): ReadRdf {
    const read = rdfXmlTriples(text, base);
    return 'message' in read ? { kind: 'refused', problem: read } : { kind: 'triples', format: 'rdfxml', triples: read, unstated: [] };
}
