/** The parser of N3.js, which has no types of its own. */
declare module 'n3/lib/N3Parser.js' {
    interface Term {
        readonly termType: 'NamedNode' | 'BlankNode' | 'Literal' | 'Variable' | 'DefaultGraph' | 'Quad';
        readonly value: string;
        readonly datatype?: { readonly value: string };
    }
    interface Quad {
        readonly subject: Term;
        readonly predicate: Term;
        readonly object: Term;
        readonly graph: Term;
    }
    const module: {
        readonly default: new (options: { readonly format: string; readonly baseIRI?: string }) => { parse(text: string): Quad[] };
    };
    export default module;
}
