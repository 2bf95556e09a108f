import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;
const { post, get } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    await post('/projects/save', { project: { id: 'p1', scope: 'organization', name: 'p1' } });
});
afterAll(async () => expect(await services.stop()).toBe(0));

const PREFIXES = `@prefix : <http://e.org/o#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
`;
const ONTOLOGY = `${PREFIXES}<> a owl:Ontology ; owl:imports <http://e.org/other> .
:Animal a owl:Class ; rdfs:label "animal"@en .
:Dog a owl:Class ; rdfs:subClassOf :Animal, [ a owl:Restriction ; owl:onProperty :owns ; owl:someValuesFrom :Dog ] .
:Cat rdfs:subClassOf :Animal ; owl:disjointWith :Dog ; owl:equivalentClass :Feline .
:owns a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :Animal ; owl:inverseOf :ownedBy .
:age a owl:DatatypeProperty ; rdfs:range xsd:integer .
:near a owl:SymmetricProperty, owl:TransitiveProperty ; rdfs:subPropertyOf :knows .
:ada a owl:NamedIndividual, :Person ; :owns :rex ; :age 36 .
:rex a :Dog .
`;
const RULES = [
    'animal(X) :- dog(X).',
    'owns(X,Y), dog(Y) :- dog(X).',
    'animal(X) :- cat(X).',
    'feline(X) :- cat(X).',
    'cat(X) :- feline(X).',
    'person(X) :- owns(X,_).',
    'animal(Y) :- owns(_,Y).',
    'ownedby(Y,X) :- owns(X,Y).',
    'owns(Y,X) :- ownedby(X,Y).',
    'near(Y,X) :- near(X,Y).',
    'near(X,Z) :- near(X,Y), near(Y,Z).',
    'knows(X,Y) :- near(X,Y).',
];

const translate = (owl_content: string, more: object = {}): Promise<Answered> =>
    post('/rulelingo/p1/translate/owl-to-rulelang', { owl_content, base_namespace: 'http://e.org/o#', ...more });

test('an ontology becomes rules, its individuals facts', async () => {
    const { status, body } = await translate(ONTOLOGY);
    const data = body.data as { rulelang_program: string; rules: string[] };
    expect([status, body.message, data.rules]).toEqual([200, 'Translation completed', RULES]);
    expect(body.data).toEqual({
        owl_content_length: ONTOLOGY.length,
        base_namespace: 'http://e.org/o#',
        predicates: {
            animal: ['id'],
            dog: ['id'],
            cat: ['id'],
            feline: ['id'],
            person: ['id'],
            owns: ['subject', 'object'],
            ownedby: ['subject', 'object'],
            age: ['subject', 'object'],
            near: ['subject', 'object'],
            knows: ['subject', 'object'],
        },
        rules: RULES,
        rulelang_program: expect.stringMatching(/^animal\(X\) :- dog\(X\)\.\n/u),
        data_bindings: [],
        saved_data_files: [],
        metadata: {
            format: 'turtle',
            class_count: 5,
            property_count: 5,
            individual_count: 2,
            not_mapped: [
                { message: expect.stringContaining("'http://e.org/other' is imported"), line: 5 },
                { message: "no rule is written for 'disjointWith' of 'Cat'", line: 8 },
                { message: "no rule is written for 'range' of 'age'", line: 10 },
            ],
        },
        project_id: 'p1',
        concept_id: null,
    });
    const found = await post('/rulelang/evaluate', { program: data.rulelang_program });
    expect(found.body.data).toMatchObject({
        resultSet: {
            animal: expect.arrayContaining([['http://e.org/o#rex'], ['_:n1']]),
            person: expect.arrayContaining([['http://e.org/o#ada'], ['http://e.org/o#rex']]),
            ownedby: expect.arrayContaining([['http://e.org/o#rex', 'http://e.org/o#ada']]),
            age: [['http://e.org/o#ada', 36]],
        },
    });
});

test('the smallest one, with relative names', async () => {
    const { body } = await translate(`${PREFIXES}<#Dog> rdfs:subClassOf <#Animal> . <#Animal> a owl:Class .`);
    expect(body.data).toMatchObject({
        predicates: { animal: ['id'], dog: ['id'] },
        rules: ['animal(X) :- dog(X).'],
        rulelang_program: '@model("dog","[\'id:string\']").\nanimal(X) :- dog(X).\n@output("animal").\n',
    });
    const { rulelang_program: program } = body.data as { rulelang_program: string };
    expect((await post('/rulelang/evaluate', { program })).body.data).toMatchObject({ resultSet: { animal: [] } });
});

test('imports are given documents and granted files', async () => {
    const folder = join(services.data, 'disk/ontologies');
    mkdirSync(folder, { recursive: true });
    const file = pathToFileURL(join(folder, 'dogs.ttl')).href;
    writeFileSync(
        join(folder, 'dogs.ttl'),
        `${PREFIXES}<> a owl:Ontology . :Dog rdfs:subClassOf :Animal . _:x a :Dog . :Dog owl:hasKey 1 .`,
    );
    const outside = pathToFileURL(join(services.data, 'outside.ttl')).href;
    writeFileSync(join(services.data, 'outside.ttl'), `${PREFIXES}:secret a :Dog .`);
    const main = `${PREFIXES}<http://e.org/main> a owl:Ontology ; owl:imports <http://e.org/pets>, <http://e.org/absent>, <${outside}> . _:x a :Cat .`;
    const pets = `${PREFIXES}<http://e.org/pets#> a owl:Ontology ; owl:imports <http://e.org/main>, <${file}> . :Animal rdfs:subClassOf :Pet . :rex a :Dog .`;
    const more = {
        options: { include_imports: true },
        imports: [{ owl_content: pets }, { iri: 'http://e.org/unused', owl_content: 'no' }],
    };
    const {
        rules,
        metadata,
        rulelang_program: program,
    } = (await translate(main, more)).body.data as {
        rules: string[];
        metadata: { import_errors: { iri: string; error: string }[]; not_mapped: { message: string }[] };
        rulelang_program: string;
    };
    expect(rules).toEqual(['pet(X) :- animal(X).', 'animal(X) :- dog(X).']);
    // Nodes without a name of two documents are two individuals.
    expect(program).toContain('cat("_:b1").\ndog("http://e.org/o#rex").\ndog("_:b2").\n');
    expect(metadata.import_errors).toEqual([
        { iri: 'http://e.org/absent', error: 'it is not among the given documents, and the network is not asked' },
        { iri: outside, error: expect.stringContaining('outside.ttl') },
    ]);
    expect(metadata.not_mapped).toEqual([
        { message: expect.stringContaining("'http://e.org/absent' is imported"), line: 5 },
        { message: expect.stringContaining('outside.ttl'), line: 5 },
        { message: "no rule is written for 'hasKey' of 'Dog'", line: 5, document: file },
    ]);
    const without = (await translate(main, { imports: more.imports })).body.data as { rules: string[]; metadata: object };
    expect([without.rules, 'import_errors' in without.metadata]).toEqual([[], false]);
});

test('options', async () => {
    const options = { include_imports: true, include_schema: true, include_not_rules: true };
    const {
        rulelang_program: program,
        rules,
        metadata,
    } = (await translate(ONTOLOGY, { options })).body.data as {
        rulelang_program: string;
        rules: string[];
        metadata: object;
    };
    expect(rules).toContain('#F :- cat(X), dog(X).');
    expect(program).toMatch(/^% class animal: http:\/\/e\.org\/o#Animal\n/u);
    expect(metadata).toMatchObject({ import_errors: [{ iri: 'http://e.org/other' }] });
    expect((await post('/rulelang/analyze', { program })).status).toBe(200);
});

test('an ontology is saved as a concept, and again in its place', async () => {
    const ids = [];
    for (const text of [ONTOLOGY, `${PREFIXES}:Dog rdfs:subClassOf :Animal .`])
        ids.push(((await translate(text, { add_concepts: true })).body.data as { concept_id: string }).concept_id);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/u);
    expect(ids[1]).toBe(ids[0]);
    const { data } = (await get('/concepts/p1/list?scope=organization')).body;
    expect(data).toMatchObject([{ id: ids[0], concept_name: 'owl_to_rulelang', concept_type: 'logic' }]);
});

test('a concept that includes the saved ontology has its rows', async () => {
    await translate(ONTOLOGY, { add_concepts: true });
    const definition = '@include("owl_to_rulelang").\npets(X) :- animal(X), dom(*).\n@output("pets").';
    await post('/concepts/p1/save', { concept_type: 'logic', definition, scope: 'organization' });
    const pets = await post('/concepts/p1/run/pets', { scope: 'organization' });
    expect([pets.status, pets.body.data]).toMatchObject([200, { results: [['http://e.org/o#rex']] }]);
    const own = await post('/concepts/p1/run/owl_to_rulelang', { scope: 'organization' });
    expect(own.body.data).toMatchObject({ results: expect.arrayContaining([['animal'], ['owns']]) });
});

test('what is no ontology, and what is not there', async () => {
    const bad = await translate('hello');
    expect([bad.status, bad.body.code, bad.body.message]).toEqual([
        422,
        'owl_invalid',
        'OWL is not valid: line 1, column 1: Unexpected "hello"',
    ]);
    expect((await translate('<?xml version="1.0"?><x/>')).body.code).toBe('owl_invalid');
});

test('individuals become Parquet files', async () => {
    const more = ':ada :big 3000000000 ; :height 1.75 , 2 ; :tall true ; :born "1815-12-10"^^xsd:date ; :note "é" , 1 .\n';
    const { status, body } = await translate(`${ONTOLOGY}${more}`, { data_base_path: 'onto/v1' });
    const data = body.data as { rulelang_program: string; data_bindings: object[]; saved_data_files: string[] };
    const folder = join(services.data, 'disk/onto/v1');
    const files = ['person', 'owns', 'age', 'dog', 'big', 'height', 'tall', 'born', 'note'].map(name => join(folder, `${name}.parquet`));
    expect([status, data.saved_data_files]).toEqual([200, files]);
    expect(data.data_bindings[0]).toEqual({
        predicate: 'person',
        path: files[0],
        annotation: `@bind("person_source","parquet","${folder}","person.parquet").`,
    });
    expect(data.rulelang_program).toContain('person_source","parquet"');
    expect(data.rulelang_program).toContain('person(X) :- person_source(X).\n');
    expect(data.rulelang_program).not.toContain('"http://e.org/o#ada"');
    expect((await post('/rulelang/analyze', { program: data.rulelang_program })).status).toBe(200);
    const program = `${data.rulelang_program}\n@output("height"). @output("born"). @output("big").\n`;
    const { resultSet } = (await post('/rulelang/evaluate', { program })).body.data as { resultSet: unknown };
    expect(resultSet).toMatchObject({
        big: [['http://e.org/o#ada', 3_000_000_000]],
        born: [['http://e.org/o#ada', '1815-12-10']],
        height: [
            ['http://e.org/o#ada', 1.75],
            ['http://e.org/o#ada', 2],
        ],
    });
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    const rows = async (name: string): Promise<unknown> =>
        (await connection.runAndReadAll('SELECT * FROM read_parquet($1)', [join(folder, `${name}.parquet`)])).getRowObjectsJson();
    const ada = 'http://e.org/o#ada';
    expect(await rows('person')).toEqual([{ id: ada }]);
    expect(await rows('big')).toEqual([{ subject: ada, object: '3000000000' }]);
    expect(await rows('height')).toEqual([
        { subject: ada, object: 1.75 },
        { subject: ada, object: 2 },
    ]);
    expect(await rows('tall')).toEqual([{ subject: ada, object: true }]);
    expect(await rows('born')).toEqual([{ subject: ada, object: '1815-12-10' }]);
    expect(await rows('note')).toEqual([
        { subject: ada, object: 'é' },
        { subject: ada, object: '1' },
    ]);
    connection.closeSync();
    instance.closeSync();
    const taken = await translate(ONTOLOGY, { data_base_path: 'onto/v1/dog.parquet' });
    expect([taken.status, taken.body.details?.fields]).toMatchObject([400, [{ path: 'data_base_path', issue: 'not_allowed' }]]);
});
