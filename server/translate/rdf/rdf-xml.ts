import { type SaxesAttributeNSIncomplete, SaxesParser, type SaxesTagNS } from 'saxes';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { isRefusal, refuse } from '#server/notices/refusal.ts';
import { StatementCount } from './statement-count.ts';
import type { Literal, RdfProblem, Resource, Triple } from './triples.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const XML = 'http://www.w3.org/XML/1998/namespace';
const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string';
const XML_LITERAL = `${RDF}XMLLiteral`;
/** Elements inside each other. */
const DEEPEST = 1000;
/** Levels that are gone through in all: the parser looks for the prefix of each element and attribute in all elements around it. */
const MOST_LEVELS = 50_000_000;
/** Attributes of an element, and characters of a namespace: the parser compares all of these attributes with their namespaces written out. */
const MOST_ATTRIBUTES = 1000;
const LONGEST_NAMESPACE = 1000;
/** Attributes of a node or a property that do not state anything about it. */
const SYNTAX = new Set(['about', 'ID', 'nodeID', 'resource', 'parseType', 'datatype', 'bagID', 'aboutEach', 'aboutEachPrefix']);

/** An open element: one that holds nodes, a node, a property, or a part of an XML literal. */
type Frame = { readonly base: string | undefined } & (
    | { readonly kind: 'nodes' }
    | { readonly kind: 'node'; readonly subject: Resource; members: number }
    | PropertyFrame
    | { readonly kind: 'literal' }
);

interface PropertyFrame {
    readonly kind: 'property';
    readonly base: string | undefined;
    readonly subject: Resource;
    readonly predicate: string;
    readonly datatype: string | undefined;
    readonly parse: 'node' | 'collection' | 'literal';
    /** The start of an XML literal. */
    readonly from: number;
    text: string;
    /** The value was stated already. */
    isDone: boolean;
    /** The end of a collection so far. */
    last: Resource | undefined;
}

/** A document of a few lines could grow to any size. */
function refuseEntity(name: string): never {
    refuse(say`entities are not put in place; write out '&${name};', as 'xmllint --noent' does for a whole document`, 'document');
}

/**
 * Reads RDF/XML (W3C, RDF 1.1 XML Syntax) into statements in the order of the document. Entities that the document declares are refused
 * where they are used; `rdf:ID` of properties states nothing. Relative IRIs follow `xml:base` and `base`.
 */
export function rdfXmlTriples(text: string, base: string | undefined): readonly Triple[] | RdfProblem {
    const parser = new SaxesParser({ xmlns: true, position: true });
    try {
        const reader = new Reader(text, base, parser);
        parser.on('error', error => {
            throw error;
        });
        parser.write(text).close();
        return reader.triples;
    } catch (error) {
        if (!(error instanceof Error)) throw error;
        const [, line, column, reason] = /^(\d+):(\d+): (.*?)\.?$/u.exec(error.message) ?? [];
        if (reason !== undefined) return { message: reason, line: Number(line), column: Math.max(1, Number(column)) };
        if (!isRefusal(error, 'document')) throw error;
        return { message: error.message, line: parser.line, column: Math.max(1, parser.column) };
    }
}

class Reader {
    readonly triples: Triple[] = [];
    readonly #text: string;
    readonly #parser: SaxesParser<{ xmlns: true; position: true }>;
    readonly #frames: Frame[];
    readonly #count = new StatementCount();
    #blanks = 0;
    #levels = 0;
    /** Of the element that is being read. */
    #attributes = 0;

    constructor(text: string, base: string | undefined, parser: SaxesParser<{ xmlns: true; position: true }>) {
        this.#text = text;
        this.#parser = parser;
        this.#frames = [{ kind: 'nodes', base }];
        parser.on('doctype', doctype => {
            for (const [, name = ''] of doctype.matchAll(/<!ENTITY\s+([\w.-]+)\s/gu))
                Object.defineProperty(parser.ENTITIES, name, { get: () => refuseEntity(name) });
        });
        parser.on('attribute', one => this.#attribute(one));
        parser.on('opentag', tag => this.#open(tag));
        parser.on('closetag', tag => this.#close(tag));
        for (const event of ['text', 'cdata'] as const) parser.on(event, piece => this.#characters(piece));
    }

    #attribute({ name, prefix, value }: SaxesAttributeNSIncomplete): void {
        this.#descend();
        if (++this.#attributes > MOST_ATTRIBUTES)
            refuse(say`an element has more than ${countText(MOST_ATTRIBUTES)} attributes: write some as elements`, 'document');
        if ((prefix === 'xmlns' || name === 'xmlns') && value.length > LONGEST_NAMESPACE)
            refuse(say`a namespace has more than ${countText(LONGEST_NAMESPACE)} characters: shorten it`, 'document');
    }

    #descend(): void {
        this.#levels += this.#frames.length;
        if (this.#frames.length > DEEPEST || this.#levels > MOST_LEVELS) refuse(say`it nests too deeply`, 'document');
    }

    #open(tag: SaxesTagNS): void {
        this.#attributes = 0;
        this.#descend();
        const around = this.#frames.at(-1);
        const base = attribute(tag, XML, 'base') ?? around?.base;
        if (around === undefined || around.kind === 'literal') this.#frames.push({ kind: 'literal', base });
        else if (around.kind === 'nodes') {
            const isRoot = this.#frames.length === 1 && iriOf(tag) === `${RDF}RDF`;
            this.#frames.push(isRoot ? { kind: 'nodes', base } : this.#node(tag, base));
        } else if (around.kind === 'node') this.#frames.push(this.#property(tag, base, around));
        else if (around.parse === 'literal') this.#frames.push({ kind: 'literal', base });
        else this.#frames.push(this.#valueNode(tag, base, around));
    }

    /** A node element inside a property is its value, or an item of it. */
    #valueNode(tag: SaxesTagNS, base: string | undefined, property: PropertyFrame): Frame {
        if (property.parse === 'node') {
            if (property.isDone) refuse(say`'${property.predicate}' has more than one value`, 'document');
            property.isDone = true;
            // What a property leads to is stated before what is said of it.
            return this.#node(tag, base, node => this.#state(property.subject, property.predicate, node));
        }
        const cell = this.#blank();
        if (property.last === undefined) this.#state(property.subject, property.predicate, cell);
        else this.#state(property.last, `${RDF}rest`, cell);
        property.last = cell;
        return this.#node(tag, base, node => this.#state(cell, `${RDF}first`, node));
    }

    #node(tag: SaxesTagNS, base: string | undefined, before: (node: Resource) => void = () => undefined): Frame {
        const [about, id, label] = ['about', 'ID', 'nodeID'].map(name => attribute(tag, RDF, name));
        const subject =
            about !== undefined
                ? this.#iri(about, base)
                : id !== undefined
                  ? this.#iri(`#${id}`, base)
                  : label === undefined
                    ? this.#blank()
                    : ({ kind: 'blank', value: `_${label}` } as const);
        before(subject);
        const type = iriOf(tag);
        if (type !== `${RDF}Description`) this.#state(subject, `${RDF}type`, { kind: 'iri', value: type });
        this.#stateAttributes(tag, subject, base);
        return { kind: 'node', base, subject, members: 0 };
    }

    #property(tag: SaxesTagNS, base: string | undefined, node: Extract<Frame, { kind: 'node' }>): Frame {
        const { subject } = node;
        const name = iriOf(tag);
        const predicate = name === `${RDF}li` ? `${RDF}_${++node.members}` : name;
        const [parse, resource, label, datatype] = ['parseType', 'resource', 'nodeID', 'datatype'].map(word => attribute(tag, RDF, word));
        const property: PropertyFrame = {
            kind: 'property',
            base,
            subject,
            predicate,
            datatype: datatype === undefined ? undefined : this.#iri(datatype, base).value,
            parse: parse === undefined ? 'node' : parse === 'Collection' ? 'collection' : 'literal',
            from: this.#parser.position,
            text: '',
            isDone: false,
            last: undefined,
        };
        const hasAttributes = Object.values(tag.attributes).some(isStatement);
        if (parse === 'Resource' || resource !== undefined || label !== undefined || (hasAttributes && parse === undefined)) {
            const value =
                resource !== undefined
                    ? this.#iri(resource, base)
                    : label === undefined
                      ? this.#blank()
                      : ({ kind: 'blank', value: `_${label}` } as const);
            this.#state(subject, predicate, value);
            this.#stateAttributes(tag, value, base);
            if (parse === 'Resource') return { kind: 'node', base, subject: value, members: 0 };
            property.isDone = true;
        }
        return property;
    }

    #stateAttributes(tag: SaxesTagNS, subject: Resource, base: string | undefined): void {
        for (const one of Object.values(tag.attributes)) {
            if (!isStatement(one)) continue;
            const predicate = `${one.uri}${one.local}`;
            this.#state(subject, predicate, predicate === `${RDF}type` ? this.#iri(one.value, base) : literal(one.value));
        }
    }

    #characters(piece: string): void {
        const frame = this.#frames.at(-1);
        if (frame?.kind === 'property') frame.text += piece;
        else if (frame?.kind !== 'literal' && piece.trim() !== '') refuse(say`unexpected text '${piece.trim().slice(0, 40)}'`, 'document');
    }

    #close(tag: SaxesTagNS): void {
        const frame = this.#frames.pop();
        if (frame?.kind !== 'property') return;
        const { subject, predicate, datatype, parse, text, last, isDone, from } = frame;
        if (parse === 'collection') {
            const end: Resource = { kind: 'iri', value: `${RDF}nil` };
            if (last === undefined) this.#state(subject, predicate, end);
            else this.#state(last, `${RDF}rest`, end);
        } else if (parse === 'literal') {
            const inside = tag.isSelfClosing ? '' : this.#text.slice(from, this.#text.lastIndexOf('</', this.#parser.position - 1));
            this.#state(subject, predicate, { kind: 'literal', value: inside, datatype: XML_LITERAL });
        } else if (!isDone) this.#state(subject, predicate, literal(text, datatype));
        else if (text.trim() !== '') refuse(say`'${predicate}' has text beside its value`, 'document');
    }

    #state(subject: Resource, predicate: string, object: Resource | Literal): void {
        this.#count.state(subject.value.length + predicate.length + object.value.length);
        this.triples.push({ subject, predicate, object, line: this.#parser.line });
    }

    #iri(reference: string, base: string | undefined): Resource {
        this.#count.write(reference.length + (base?.length ?? 0));
        return { kind: 'iri', value: resolved(reference, base) };
    }

    #blank(): Resource {
        return { kind: 'blank', value: `${++this.#blanks}` };
    }
}

type Attribute = SaxesTagNS['attributes'][string];

function attribute({ attributes }: SaxesTagNS, uri: string, local: string): string | undefined {
    return Object.values(attributes).find(one => one.uri === uri && one.local === local)?.value;
}

/** Attributes in a namespace say something of the node, but for those of the syntax. */
function isStatement({ uri, local, prefix }: Attribute): boolean {
    return uri !== '' && uri !== XML && prefix !== 'xmlns' && local !== 'xmlns' && !(uri === RDF && SYNTAX.has(local));
}

function iriOf({ uri, local, name }: SaxesTagNS): string {
    if (uri === '') refuse(say`'${name}' is in no namespace`, 'document');
    return `${uri}${local}`;
}

function resolved(reference: string, base: string | undefined): string {
    if (base === undefined || /^[A-Za-z][A-Za-z0-9+.-]*:/u.test(reference)) return reference;
    if (reference === '' || reference.startsWith('#')) return `${base.split('#', 1)[0]}${reference}`;
    return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
}

function literal(value: string, datatype = XSD_STRING): Literal {
    return { kind: 'literal', value, datatype };
}
