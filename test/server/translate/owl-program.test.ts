import { expect, test } from 'vitest';
import { type OwlProgram, owlProgram } from '#server/translate/owl/program.ts';
import { rdfTriples } from '#server/translate/rdf/triples.ts';

const PREFIXES =
    '@prefix : <http://e.org/o#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . ' +
    '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .';

function translated(text: string, includeNotRules = false): OwlProgram {
    const read = rdfTriples(`${PREFIXES}\n${text}`);
    if (read.kind === 'refused') throw new Error(read.problem.message);
    return owlProgram(read.triples, { includeSchema: false, includeNotRules });
}
const on = (property: string, rest: string): string => `[ a owl:Restriction ; owl:onProperty ${property} ; ${rest} ]`;
const some = (property: string, filler: string): string => on(property, `owl:someValuesFrom ${filler}`);

test.each([
    ['a value of a class', `:A rdfs:subClassOf ${some(':p', ':B')} .`, ['p(X,Y), b(Y) :- a(X).']],
    ['values of values', `:A rdfs:subClassOf ${some(':p', some(':q', ':B'))} .`, ['p(X,Y), q(Y,Z), b(Z) :- a(X).']],
    [
        'a value of what atoms alone cannot tell',
        `:A rdfs:subClassOf ${some(':p', on(':q', 'owl:allValuesFrom :B'))} .`,
        ['p(X,Y), described_class_1(Y) :- a(X).', 'b(Y) :- described_class_1(X), q(X,Y).'],
    ],
    ['a value of the inverse', `${some('[ owl:inverseOf :p ]', ':B')} rdfs:subClassOf :A .`, ['a(X) :- p(Y,X), b(Y).']],
    ['data', `${on(':p', 'owl:hasValue 3')} rdfs:subClassOf :A .`, ['a(X) :- p(X,3).']],
    ['a chain', ':p owl:propertyChainAxiom (:q [ owl:inverseOf :r ]) .', ['p(X,Z) :- q(X,Y), r(Z,Y).']],
    ['nothing to know of data', ':p a owl:FunctionalProperty, owl:DatatypeProperty .', []],
])('%s', (_, text, rules) => {
    expect(translated(text).rules).toEqual(rules);
});

test('values of data that may differ are a contradiction, not the same', () => {
    const text = ':p a owl:FunctionalProperty . :x :p 1, 2 .';
    expect(translated(text, true).rules).toEqual(['#F :- p(X,Y), p(X,Z), Y != Z.']);
});

test('rules for equal individuals are there if individuals may be equal', () => {
    const text = ':A owl:disjointWith :B . :x a :A ; :p :y ; :q 1 . :x owl:differentFrom :y .';
    expect(translated(text, true).rules).toEqual(['#F :- a(X), b(X).']);
    expect(translated(`${text} :x owl:sameAs :z .`, true).rules).toEqual([
        '#F :- a(X), b(X).',
        '#F :- sameas("http://e.org/o#x","http://e.org/o#y").',
        'sameas(Y,X) :- sameas(X,Y).',
        'sameas(X,Z) :- sameas(X,Y), sameas(Y,Z), X != Z.',
        'a(Y) :- a(X), sameas(X,Y).',
        'p(Z,Y) :- p(X,Y), sameas(X,Z).',
        'p(X,Z) :- p(X,Y), sameas(Y,Z).',
        'q(Z,Y) :- q(X,Y), sameas(X,Z).',
    ]);
});

test('unknown individuals that would have unknown individuals without end have none', () => {
    const endless = `:P rdfs:subClassOf ${some(':parent', ':P')} . :parent a owl:TransitiveProperty .`;
    const other = `:A rdfs:subClassOf ${some(':p', some(':q', ':B'))} .`;
    const { rules, unmapped } = translated(`${endless}\n${other}`);
    expect(rules).toEqual([
        'parent(X,Y), p(Y) :- p(X), dom(*).',
        'parent(X,Z) :- parent(X,Y), parent(Y,Z).',
        'p_2(X,Y), q(Y,Z), b(Z) :- a(X).',
    ]);
    expect(unmapped).toEqual([
        { line: 2, message: "the rules apply 'subClassOf' of 'P' to known individuals alone: with unknown ones they would not end" },
    ]);
});

test.each([
    [
        'unionOf',
        ':A rdfs:subClassOf [ owl:unionOf (:B :C) ] .',
        "no rule is written for 'subClassOf' of 'A': no rule can tell its definition",
    ],
    ['complementOf', ':A owl:complementOf :B .', "no rule is written for 'complementOf' of 'A'"],
    [
        'a cardinality',
        `:A owl:equivalentClass ${on(':p', 'owl:cardinality 2')} .`,
        "no rule is written for 'equivalentClass' of 'A': no rule can tell its definition",
    ],
    ['one direction', ':A owl:equivalentClass [ owl:unionOf (:B :C) ] .', "the rules tell only a part of 'equivalentClass' of 'A'"],
    [
        'a part of a conjunction',
        `:A rdfs:subClassOf [ owl:intersectionOf (:B ${on(':p', 'owl:minCardinality 3')}) ] .`,
        "the rules tell only a part of 'subClassOf' of 'A'",
    ],
    ['a disjoint union', ':A owl:disjointUnionOf (:B :C) .', "the rules tell only a part of 'disjointUnionOf' of 'A'"],
    ['reflexivity', ':p a owl:ReflexiveProperty .', "no rule is written for 'p' being of the type 'ReflexiveProperty'"],
    ['a class without a name', '[ owl:complementOf :A ] rdfs:subClassOf :B .', "no rule is written for 'subClassOf' of"],
    ['an individual', `:x a [ owl:unionOf (:A :B) ] .`, "no rule is written for 'type' of 'x': no rule can tell its definition"],
    ['a class of all', 'owl:Thing rdfs:subClassOf :A .', "no rule is written for 'subClassOf' of 'Thing'"],
    [
        'a datatype',
        `:A rdfs:subClassOf ${on(':p', 'owl:allValuesFrom xsd:integer')} .`,
        "no rule is written for 'subClassOf' of 'A': no rule can tell its definition",
    ],
])('not mapped: %s', (_, text, message) => {
    expect(translated(text).unmapped).toEqual([{ line: 2, message: expect.stringContaining(message) }]);
});

test('remarks are not reported, nor what kind of thing something is', () => {
    const text = `:A a owl:Class ; rdfs:label "a" ; :note "b" . :note a owl:AnnotationProperty . :x :note "c" ; a owl:NamedIndividual .
[] a owl:Axiom ; owl:annotatedSource :A ; rdfs:comment "d" .`;
    expect(translated(text)).toMatchObject({ unmapped: [], program: '', counts: { individual_count: 1 } });
});

test('predicates without rows have models', () => {
    const { program } = translated(':p rdfs:domain :A ; rdfs:range xsd:integer . :q rdfs:range :B .');
    expect(program.split('\n').slice(0, 2)).toEqual([
        `@model("p","['subject:string','object:long']").`,
        `@model("q","['subject:string','object:string']").`,
    ]);
});
