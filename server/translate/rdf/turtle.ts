/// <reference path="./n3-parser.d.ts" />

import n3Lexer from 'n3/lib/N3Lexer.js';
import n3Parser, { type TermFactory } from 'n3/lib/N3Parser.js';
import { say } from '#language/program/say.ts';
import { isRefusal } from '#server/notices/refusal.ts';
import { StatementCount } from './statement-count.ts';
import type { RdfProblem, ReadRdf, Triple } from './triples.ts';

export type ReadTurtle = ReadRdf;

/** Reads Turtle, of which N-Triples is a part, or else N3. */
export function turtleTriples(text: string, base: string | undefined): ReadTurtle {
    const deep = tooDeep(text);
    if (deep !== undefined) return { kind: 'refused', problem: deep };
    const turtle = parsed(text, 'turtle', base);
    if (turtle.kind === 'triples' || turtle.isTooMuch) return turtle;
    const n3 = parsed(text, 'n3', base);
    return n3.kind === 'triples' || n3.isTooMuch ? n3 : turtle;
}

/** The parser keeps what is around each level: so many of them cost gigabytes. */
const MOST_LEVELS = 64;

/** Signs that open and close levels, and parts in which brackets mean nothing: texts, IRIs and comments. */
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

type Parsed = Extract<ReadTurtle, { kind: 'triples' }> | (Extract<ReadTurtle, { kind: 'refused' }> & { readonly isTooMuch: boolean });

interface Place {
    readonly line?: number;
    readonly token?: { readonly start?: number };
    readonly previousToken?: { readonly end?: number; readonly line?: number };
}

function parsed(text: string, format: 'turtle' | 'n3', base: string | undefined): Parsed {
    const count = new StatementCount();
    const lexer = new (unwrapped(n3Lexer))({ n3: format === 'n3' });
    const line = (): number => lexer.previousToken?.line ?? 1;
    const parser = new CountingParser({ format, factory: factory(count, line), lexer, ...(base !== undefined && { baseIRI: base }) });
    parser.count = count;
    try {
        const quads = parser.parse(text);
        const unstated = new Set(quads.filter(({ isStated }) => !isStated).map(quad => quad.line));
        return { kind: 'triples', format, triples: quads.filter((quad): quad is Quad & Triple => quad.isStated), unstated: [...unstated] };
    } catch (error) {
        if (!(error instanceof Error)) throw error;
        const { previousToken: last } = lexer;
        if (isRefusal(error, 'document')) {
            const problem = { message: error.message, line: last?.line ?? 1, column: (last?.end ?? 0) + 1 };
            return { kind: 'refused', problem, isTooMuch: true };
        }
        const { line = 1, token, previousToken } = (error as { readonly context?: Place }).context ?? {};
        const before = previousToken?.line === line ? previousToken.end : undefined;
        const message = error.message.replace(/ on line \d+\.$/u, '');
        return { kind: 'refused', problem: { message, line, column: (token?.start ?? before ?? 0) + 1 }, isTooMuch: false };
    }
}

/** Each base may be written after the one before it, and is searched for its parts. */
class CountingParser extends unwrapped(n3Parser)<Term, Quad> {
    count: StatementCount | undefined;

    override _setBase(base: string | undefined): void {
        this.count?.write(base?.length ?? 0);
        super._setBase(base);
    }
}

const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string';
const LANGUAGE_STRING = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString';
/** The prefix of the vocabulary of rules, whose arguments are formulas. */
const LOGIC = 'http://www.w3.org/2000/10/swap/log#';

type Kind = 'iri' | 'blank' | 'literal' | 'variable' | 'graph';

const TERM_TYPES = { iri: 'NamedNode', blank: 'BlankNode', literal: 'Literal', variable: 'Variable', graph: 'DefaultGraph' } as const;
const SIGILS: Readonly<Record<Kind, string>> = { iri: '', blank: '_:', literal: '', variable: '?', graph: '' };

/** A term as the parser wants it and as statements have it: there may be a million, so that none is made twice. */
class Term {
    readonly kind: Kind;
    readonly value: string;
    /** Of a literal. */
    readonly datatype: string;

    constructor(kind: Kind, value: string, datatype = '') {
        this.kind = kind;
        this.value = value;
        this.datatype = datatype;
    }

    get termType(): string {
        return TERM_TYPES[this.kind];
    }

    /** Tells the terms of a document apart, literals left out, and stands for them in messages. */
    get id(): string {
        return `${SIGILS[this.kind]}${this.value}`;
    }
}

/** A statement, or a term that is one. */
class Quad {
    readonly subject: Term | Quad;
    readonly predicate: string;
    readonly object: Term | Quad;
    /** It stands in no formula, and is about resources. */
    readonly isStated: boolean;
    readonly line: number;

    constructor(subject: Term | Quad, predicate: Term, object: Term | Quad, graph: Term, line: number) {
        this.line = line;
        this.subject = subject;
        this.predicate = predicate.value;
        this.object = object;
        const isNamed = predicate.kind === 'iri' && !predicate.value.startsWith(LOGIC);
        this.isStated = graph.kind === 'graph' && isNamed && isResource(subject) && (isResource(object) || object.kind === 'literal');
    }

    get kind(): 'quad' {
        return 'quad';
    }

    get value(): string {
        return '';
    }

    get id(): string {
        return '';
    }
}

function isResource({ kind }: Term | Quad): boolean {
    return kind === 'iri' || kind === 'blank';
}

/** Returns the factory of the parser's terms. */
function factory(count: StatementCount, line: () => number): TermFactory<Term, Quad> {
    const graph = new Term('graph', '');
    let blanks = 0;
    return {
        namedNode: iri => {
            count.write(iri.length);
            return new Term('iri', iri);
        },
        blankNode: name => new Term('blank', name ?? `${++blanks}`),
        literal: (value, type) => {
            const datatype = typeof type === 'object' && 'value' in type ? type.value : undefined;
            return new Term('literal', value, datatype ?? (type === undefined ? XSD_STRING : LANGUAGE_STRING));
        },
        variable: name => new Term('variable', name),
        defaultGraph: () => graph,
        quad: (subject, predicate, object, within) => {
            count.state(subject.value.length + predicate.value.length + object.value.length);
            return new Quad(subject, predicate, object, within, line());
        },
    };
}

/** The class that a module exports. Node and bundlers wrap the default export of a CommonJS module, Vite does not. */
function unwrapped<T extends object>(module: { readonly default: T }): T {
    return 'default' in module ? module.default : module;
}
