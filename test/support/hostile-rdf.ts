/** RDF documents that are short for what they say. */

const RDF_ROOT = '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://e.org/" xmlns:e="http://e.org/"';
const END = '</r:RDF>';
const PREFIXES =
    '@prefix : <http://e.org/> .\n@prefix o: <http://www.w3.org/2002/07/owl#> .\n@prefix s: <http://www.w3.org/2000/01/rdf-schema#> .\n';

/** As many pieces as there is room for. */
export type Fill = (head: string, piece: (i: number) => string, tail: string) => string;

export function fillTo(characters: number): Fill {
    return (head, piece, tail) => {
        const pieces = [head];
        let length = head.length + tail.length;
        for (let i = 0; ; i++) {
            const next = piece(i);
            length += next.length;
            if (length > characters) return [...pieces, tail].join('');
            pieces.push(next);
        }
    };
}

const longIri = (length: number): string => `http://e.org/${'x'.repeat(length)}`;
const deep = (levels: number): string => `${'<A><e:b>'.repeat(levels)}${'</e:b></A>'.repeat(levels)}`;
const attributes = (count: number, prefix: string): string => Array.from({ length: count }, (_, i) => `${prefix}:a${i}=""`).join(' ');
const namespaces = Array.from({ length: 490 }, (_, i) => `<A xmlns:p${i}="n:${i}"><e:b>`).join('');

const STATEMENTS = /^it has more than 250,000 statements: split it$/u;
const CHARACTERS = /^with its IRIs written out it has more than 33,554,432 characters: split it, or shorten its IRIs$/u;
const NESTED = /^it nests too deeply$/u;

interface Hostile {
    readonly text: (fill: Fill) => string;
    readonly refusal: RegExp;
}

/** What is refused in a document of two megabytes as well as in a longer one. */
export const HOSTILE_RDF: Readonly<Record<string, Hostile>> = {
    'open lists': { text: fill => fill('<a> <b> ', () => '(', ''), refusal: /^brackets are nested deeper than 64 levels$/u },
    'many lists': { text: fill => fill('<a> <b> ', () => '(1),', '1 .'), refusal: STATEMENTS },
    'lists of 63 levels': { text: fill => fill('<a> <b> ', () => `${'('.repeat(63)}${')'.repeat(63)},`, '1 .'), refusal: STATEMENTS },
    'one list': { text: fill => fill('<a> <b> (', () => '1 ', ') .'), refusal: STATEMENTS },
    'nodes without a name': { text: fill => fill('<a> <b> ', () => '[],', '[] .'), refusal: STATEMENTS },
    'lists of objects': { text: fill => fill('<a> <b> ', () => '1,', '1 .'), refusal: STATEMENTS },
    'a path': { text: fill => fill('@prefix : <a:> . :a', () => '!:b', ' :c :d .'), refusal: STATEMENTS },
    'statements of formulas': { text: fill => fill('<a> <b> ', () => '{<><><>},', '1 .'), refusal: STATEMENTS },
    'IRIs after a long base': { text: fill => fill(`@base <${longIri(100_000)}/> .\n`, () => '<><><>.', ''), refusal: CHARACTERS },
    'IRIs after a base of dots': {
        text: fill => fill(`@base <http://e.org/${'a/'.repeat(50_000)}> .\n<a> <b> `, () => '<../c>,', '1 .'),
        refusal: CHARACTERS,
    },
    'names with a long prefix': { text: fill => fill(`@prefix : <${longIri(10_000)}> .\n`, () => ':a :b :c .', ''), refusal: CHARACTERS },
    'datatypes with a long prefix': {
        text: fill => fill(`@prefix : <${longIri(10_000)}> .\n<a> <b> `, i => `""^^:${i},`, '1 .'),
        refusal: CHARACTERS,
    },
    'objects of a long subject': { text: fill => fill(`<${longIri(10_000)}> <b> `, () => '1,', '1 .'), refusal: CHARACTERS },
    'bases, each after the one before': { text: fill => fill('@base <http://e.org/> .', () => '@base <a/> .\n', ''), refusal: CHARACTERS },
    'sub-classes of a class with a long name': {
        text: fill => fill(`${PREFIXES}@prefix l: <${longIri(10_000)}> .\n`, i => `:a${i} s:subClassOf l: .`, ''),
        refusal: CHARACTERS,
    },
    'elements in XML': { text: fill => fill(`${RDF_ROOT}><A>`, () => '<b/>', `</A>${END}`), refusal: STATEMENTS },
    'a collection in XML': {
        text: fill => fill(`${RDF_ROOT}><A><b r:parseType="Collection">`, () => '<C/>', `</b></A>${END}`),
        refusal: STATEMENTS,
    },
    'names after a long base in XML': {
        text: fill => fill(`${RDF_ROOT} xml:base="${longIri(100_000)}">`, i => `<A r:ID="a${i}"/>`, END),
        refusal: CHARACTERS,
    },
    'addresses of the root after a long base in XML': {
        text: fill => fill(`${RDF_ROOT} xml:base="${longIri(100_000)}">`, () => '<A r:about="/"/>', END),
        refusal: CHARACTERS,
    },
    'what is said of a long subject in XML': {
        text: fill => fill(`${RDF_ROOT}><A r:about="${longIri(100_000)}">`, () => '<b/>', `</A>${END}`),
        refusal: CHARACTERS,
    },
    'elements within elements': { text: fill => fill(`${RDF_ROOT}>`, () => '<A><e:b>', END), refusal: NESTED },
    'elements within many elements': { text: fill => fill(`${RDF_ROOT}>`, () => deep(490), END), refusal: NESTED },
    'prefixes declared far outside': { text: fill => fill(`${RDF_ROOT}>${namespaces}<A>`, () => '<e:b/>', END), refusal: NESTED },
    'attributes of one element': {
        text: fill => fill(`${RDF_ROOT}><A `, i => `e:a${i}="" `, `/>${END}`),
        refusal: /^an element has more than 1,000 attributes: write some as elements$/u,
    },
    'attributes with a long namespace': {
        text: fill => fill(`${RDF_ROOT} xmlns:l="${longIri(100_000)}"><A `, i => `l:a${i}="" `, `/>${END}`),
        refusal: /^a namespace has more than 1,000 characters: shorten it$/u,
    },
};

/** One for each way to say much in little. */
export const KINDS_OF_HOSTILE_RDF = [
    'open lists',
    'one list',
    'IRIs after a long base',
    'a collection in XML',
    'what is said of a long subject in XML',
    'elements within many elements',
    'attributes of one element',
    'attributes with a long namespace',
];

/** The two ways to write what a document says as a program; both read it in the same way, and give names in the same way. */
export type Translation = 'rdf' | 'owl';

interface Large {
    readonly text: () => string;
    /** Those for which there is much to write. */
    readonly to: readonly Translation[];
}

/** Nearly as many as a document may have. */
const STATEMENTS_OF_ONE = 249_000;

/** Statements, each about another name. */
const upTo = (head: string, piece: (name: string) => string, tail: string, count = STATEMENTS_OF_ONE): string =>
    `${head}${Array.from({ length: count }, (_, i) => piece(i.toString(36))).join('')}${tail}`;

/** Half as many, where it is the work that could grow with their square: what memory they need other documents show. */
const HALF = STATEMENTS_OF_ONE / 2;
/** As many that relate a property to others. */
const related = (property: string): string => upTo(`:x ${property} `, name => `:${name},`, ':x .\n', HALF / 2);

/** What is translated, up to the limits. */
export const LARGE_RDF: Readonly<Record<string, Large>> = {
    'sub-classes of one class': { text: () => upTo(`${PREFIXES}:x s:subClassOf `, name => `:${name},`, ':x .'), to: ['rdf', 'owl'] },
    'equivalent and inverse properties': { text: () => PREFIXES + related('o:equivalentProperty') + related('o:inverseOf'), to: ['owl'] },
    'properties of one individual': { text: () => upTo(`${PREFIXES}:x `, name => `:${name} 1;`, ':x 1 .', HALF), to: ['rdf'] },
    'properties with broken escapes': { text: () => upTo('@prefix : <a:> .\n:x ', name => `:%ff${name} 1;`, ':x 1 .', HALF), to: ['rdf'] },
    'properties that end in the same': { text: () => upTo('<x> ', name => `<${name}#-> 1;`, '<x> 1 .', HALF), to: ['owl'] },
    'classes in XML': { text: () => upTo(`${RDF_ROOT}>`, name => `<A${name}/>`, END, HALF), to: ['rdf'] },
    'attributes in XML': {
        text: () => fillTo(2_000_000)(`${RDF_ROOT}><A><b r:parseType="Literal">`, () => `<A ${attributes(999, 'e')}/>`, `</b></A>${END}`),
        to: ['rdf', 'owl'],
    },
    'a long text': { text: () => `<a> <b> "${'\\n'.repeat(2_600_000)}" .`, to: ['rdf', 'owl'] },
};
