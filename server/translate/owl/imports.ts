import { RunStopped } from '#engine/reports/reports.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { isRefusal } from '#server/notices/refusal.ts';
import { type ReadRdf, type Resource, rdfTriples, type Triple } from '../rdf/triples.ts';
import { owl, TYPE } from './vocabulary.ts';

/** Reads the file of an address. Undefined if the address is not that of a file; stops or refuses if the file cannot be read. */
export type ReadFile = (address: string) => string | undefined;

/** A document that an ontology may import, under its IRI or those that it gives itself. */
export interface GivenDocument {
    readonly iri?: string;
    readonly text: string;
}

/** An imported document that is left out, and why. */
export interface ImportError {
    readonly iri: string;
    readonly error: string;
}

export interface ImportedTriples {
    readonly triples: readonly Triple[];
    /** The IRIs of the imports that are among the statements. */
    readonly loaded: ReadonlySet<string>;
    readonly errors: readonly ImportError[];
}

/** Imported documents, and statements in all documents together. */
const [MOST_DOCUMENTS, MOST_STATEMENTS] = [10, 250_000];
const IMPORTS = owl('imports');

/**
 * Adds the statements of the documents that an ontology imports, and of those that they import. They are among the given ones, or files that
 * `readFile` reads; the network is not asked.
 */
export function withImports(main: readonly Triple[], given: readonly GivenDocument[], readFile: ReadFile): ImportedTriples {
    const triples = [...main];
    const loaded = new Set<string>();
    const errors: ImportError[] = [];
    const documents = new GivenDocuments(given);
    const wanted = new Set(importsOf(main));
    const own = new Set(ontologyNames(main));
    for (const iri of wanted) {
        const found = own.has(plain(iri)) ? [] : readImport(iri, loaded.size, triples.length);
        if (typeof found === 'string') {
            errors.push({ iri, error: found });
            continue;
        }
        loaded.add(iri);
        for (const triple of found) triples.push(apart(triple, iri, loaded.size));
        for (const next of importsOf(found)) wanted.add(next);
    }
    return { triples, loaded, errors };

    function readImport(iri: string, before: number, statements: number): readonly Triple[] | string {
        if (before >= MOST_DOCUMENTS) return say`there are more than ${countText(MOST_DOCUMENTS)} imported documents`;
        try {
            const given = documents.named(iri);
            const text = given === undefined ? readFile(iri) : undefined;
            const read = text === undefined ? given : rdfTriples(text, iri);
            if (read === undefined) return say`it is not among the given documents, and the network is not asked`;
            if (read.kind === 'refused') return say`line ${read.problem.line}, column ${read.problem.column}: ${read.problem.message}`;
            if (statements + read.triples.length <= MOST_STATEMENTS) return read.triples;
            return say`with it there are more than ${countText(MOST_STATEMENTS)} statements`;
        } catch (error) {
            if (error instanceof RunStopped || isRefusal(error, 'document')) return error.message;
            throw error;
        }
    }
}

/** The texts of a request, each read once. */
class GivenDocuments {
    readonly #given: readonly GivenDocument[];
    #read: readonly { readonly names: readonly string[]; readonly read: ReadRdf }[] | undefined;

    constructor(given: readonly GivenDocument[]) {
        this.#given = given;
    }

    named(iri: string): ReadRdf | undefined {
        this.#read ??= this.#given.map(({ iri: own, text }) => {
            const read = rdfTriples(text, own);
            return {
                names: [...(own === undefined ? [] : [plain(own)]), ...(read.kind === 'triples' ? ontologyNames(read.triples) : [])],
                read,
            };
        });
        return this.#read.find(({ names }) => names.includes(plain(iri)))?.read;
    }
}

/** The IRIs of an ontology and of its version. */
function ontologyNames(triples: readonly Triple[]): string[] {
    return triples.flatMap(({ subject, predicate, object }) => {
        if (predicate === TYPE && object.value === owl('Ontology') && subject.kind === 'iri') return [plain(subject.value)];
        return predicate === owl('versionIRI') && object.kind === 'iri' ? [plain(object.value)] : [];
    });
}

/** Documents are found whether or not their IRI ends in `#`. */
function plain(iri: string): string {
    return iri.replace(/#$/u, '');
}

function importsOf(triples: readonly Triple[]): string[] {
    return triples.flatMap(({ predicate, object }) => (predicate === IMPORTS && object.kind === 'iri' ? [object.value] : []));
}

/** A statement of an imported document, whose nodes without a name are its own. */
function apart({ subject, predicate, object, line }: Triple, document: string, number: number): Triple {
    const own = <T extends { readonly kind: string; readonly value: string }>(node: T): T =>
        node.kind === 'blank' ? { ...node, kind: 'blank', value: `${number} ${node.value}` } : node;
    return { subject: own<Resource>(subject), predicate, object: own(object), line, document };
}
