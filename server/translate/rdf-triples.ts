import n3 from 'n3/lib/N3Parser.js';
import { say } from '#language/program/say.ts';
import { rdfXmlTriples } from './rdf-xml.ts';

/** A statement of an RDF document. */
export interface Triple {
    readonly subject: Resource;
    /** The IRI of the property. */
    readonly predicate: string;
    readonly object: Resource | Literal;
}

export type Resource = { readonly kind: 'iri' | 'blank'; readonly value: string };

export interface Literal {
    readonly kind: 'literal';
    readonly value: string;
    /** The IRI of its datatype. */
    readonly datatype: string;
}

/** Why a document is no RDF; line and column count from 1. */
export interface RdfProblem {
    readonly message: string;
    readonly line: number;
    readonly column: number;
}

export type ReadRdf =
    | { readonly kind: 'triples'; readonly format: 'turtle' | 'n3' | 'rdfxml'; readonly triples: readonly Triple[] }
    | { readonly kind: 'refused'; readonly problem: RdfProblem };

interface Place {
    readonly line?: number;
    readonly token?: { readonly start?: number };
    readonly previousToken?: { readonly end?: number; readonly line?: number };
}

type Quad = ReturnType<InstanceType<typeof n3.default>['parse']>[number];

/**
 * Reads RDF/XML, or Turtle, of which N-Triples is a part, or else N3. What stands inside the formulas of N3, or has variables, is not
 * stated by the document and left out. Relative IRIs follow `base`, and stay as they are without one.
 */
export function rdfTriples(text: string, base?: string): ReadRdf {
    if (/^\ufeff?\s*<(?:\?xml|!DOCTYPE|!--|[A-Za-z_][\w.-]*:RDF[\s>])/u.test(text)) return xmlDocument(text, base);
    const plain = text.replace(/^\ufeff/u, '');
    const deep = tooDeep(plain);
    if (deep !== undefined) return { kind: 'refused', problem: deep };
    try {
        return { kind: 'triples', format: 'turtle', triples: statements(plain, 'text/turtle', base) };
    } catch (error) {
        try {
            return { kind: 'triples', format: 'n3', triples: statements(plain, 'text/n3', base) };
        } catch {
            return { kind: 'refused', problem: problemOf(error) };
        }
    }
}

/** The parser keeps what is around each level: so many of them cost gigabytes. */
const MOST_LEVELS = 64;

/** What opens and closes levels, and what brackets mean nothing in: texts, IRIs and comments. */
const PIECES = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\\.|<[^<>\s]*>|#[^\n]*|[()[\]{}]/gu;

function tooDeep(text: string): RdfProblem | undefined {
    let level = 0;
    for (const { 0: piece, index } of text.matchAll(PIECES)) {
        if (/^[([{]$/u.test(piece)) level++;
        else if (/^[)\]}]$/u.test(piece)) level--;
        if (level <= MOST_LEVELS) continue;
        const lines = text.slice(0, index).split('\n');
        const message = say`brackets are nested deeper than ${MOST_LEVELS} levels`;
        return { message, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    }
    return undefined;
}

function xmlDocument(text: string, base: string | undefined): ReadRdf {
    const read = rdfXmlTriples(text, base);
    return 'message' in read ? { kind: 'refused', problem: read } : { kind: 'triples', format: 'rdfxml', triples: read };
}

function statements(text: string, format: string, base: string | undefined): Triple[] {
    return new n3.default({ format, ...(base !== undefined && { baseIRI: base }) })
        .parse(text)
        .flatMap(({ subject, predicate, object, graph }): Triple[] => {
            const [from, to] = [resourceOf(subject), resourceOf(object) ?? literalOf(object)];
            const isStated = graph.termType === 'DefaultGraph' && predicate.termType === 'NamedNode' && !predicate.value.startsWith(LOGIC);
            return isStated && from !== undefined && to !== undefined ? [{ subject: from, predicate: predicate.value, object: to }] : [];
        });
}

/** Where the vocabulary of rules begins, whose arguments are formulas. */
const LOGIC = 'http://www.w3.org/2000/10/swap/log#';

function resourceOf({ termType, value }: Quad['subject']): Resource | undefined {
    if (termType === 'NamedNode') return { kind: 'iri', value };
    return termType === 'BlankNode' ? { kind: 'blank', value } : undefined;
}

function literalOf({ termType, value, datatype }: Quad['object']): Literal | undefined {
    return termType === 'Literal' ? { kind: 'literal', value, datatype: datatype?.value ?? '' } : undefined;
}

function problemOf(error: unknown): RdfProblem {
    if (!(error instanceof Error)) throw error;
    const { line = 1, token, previousToken } = (error as { readonly context?: Place }).context ?? {};
    const before = previousToken?.line === line ? previousToken.end : undefined;
    return { message: error.message.replace(/ on line \d+\.$/u, ''), line, column: (token?.start ?? before ?? 0) + 1 };
}
