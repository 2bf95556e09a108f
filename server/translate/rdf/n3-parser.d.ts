/** The parser of N3.js, which has no types of its own. */
declare module 'n3/lib/N3Parser.js' {
    import type { N3Lexer } from 'n3/lib/N3Lexer.js';

    /** The parser's factory of terms and statements. */
    export interface TermFactory<Term, Quad> {
        namedNode(iri: string): Term;
        blankNode(name?: string): Term;
        literal(value: string, type?: string | Term | { readonly language: string; readonly direction: string }): Term;
        variable(name: string): Term;
        defaultGraph(): Term;
        quad(subject: Term | Quad, predicate: Term, object: Term | Quad, graph: Term): Quad;
    }

    class N3Parser<Term, Quad> {
        constructor(options: {
            readonly format: string;
            readonly factory: TermFactory<Term, Quad>;
            readonly lexer: N3Lexer;
            readonly baseIRI?: string;
        });
        parse(text: string): Quad[];
        /** Takes what relative IRIs are relative to. */
        protected _setBase(base: string | undefined): void;
    }
    const module: { readonly default: typeof N3Parser };
    export default module;
}

declare module 'n3/lib/N3Lexer.js' {
    interface Token {
        /** From 1; columns from 0, the end behind it. */
        readonly line: number;
        readonly start: number;
        readonly end: number;
    }
    export class N3Lexer {
        constructor(options: { readonly n3: boolean });
        readonly previousToken: Token | undefined;
    }
    const module: { readonly default: typeof N3Lexer };
    export default module;
}
