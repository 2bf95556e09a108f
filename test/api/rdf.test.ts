import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;
const { post } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    for (const [id, scope] of [
        ['p1', 'user'],
        ['p2', 'organization'],
    ] as const)
        expect((await post('/projects/save', { project: { id, scope, name: id } })).status).toBe(200);
});
afterAll(async () => expect(await services.stop()).toBe(0));

const DOCUMENT = String.raw`@prefix ex: <http://example.org/ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:ada a ex:Person ; ex:name "Ada"@en ; ex:age 36 ; ex:height 1.72 ; ex:knows [ ex:name "Bob \"B\"" ] .
ex:ada ex:member true ; ex:born "1990-05-01"^^xsd:date ; ex:seen "2024-05-01T10:00:00Z"^^xsd:dateTime ; ex:age "old"^^xsd:integer .
ex:ada <http://other.org/name> "n" ; <http://other.org/2nd%20name> _:b ; ex:big 99999999999999999999 .
_:b a <http://other.org/Name> .
`;
const PROGRAM = `person("http://example.org/ns#ada").
name("http://example.org/ns#ada","Ada").
age("http://example.org/ns#ada",36).
height("http://example.org/ns#ada",1.72).
name("_:b1","Bob ""B""").
knows("http://example.org/ns#ada","_:b1").
member("http://example.org/ns#ada",#T).
born("http://example.org/ns#ada",1990-05-01).
seen("http://example.org/ns#ada",2024-05-01 10:00:00).
age("http://example.org/ns#ada","old").
name_2("http://example.org/ns#ada","n").
t_2nd_name("http://example.org/ns#ada","_:b2").
big("http://example.org/ns#ada","99999999999999999999").
name_3("_:b2").
@output("person").
@output("name").
@output("age").
@output("height").
@output("knows").
@output("member").
@output("born").
@output("seen").
@output("name_2").
@output("t_2nd_name").
@output("big").
@output("name_3").
`;

const translate = (rdf_data: string, project = 'p1'): Promise<Answered> =>
    post(`/rulelingo/${project}/translate/rdf-to-rulelang`, { rdf_data });
const program = async (text: string): Promise<string> =>
    ((await translate(text)).body.data as { rulelang_program: string }).rulelang_program;

test('Turtle becomes facts that are a program', async () => {
    const { status, body } = await translate(DOCUMENT, 'p2');
    expect([status, (body.data as { rulelang_program?: string } | null)?.rulelang_program]).toEqual([200, PROGRAM]);
    expect(body).toEqual({
        data: { rdf_data: DOCUMENT, rulelang_program: PROGRAM, project_id: 'p2' },
        message: 'Translation completed',
        status: 'success',
    });
    const found = await post('/rulelang/evaluate', { program: PROGRAM });
    expect(found.body.data).toMatchObject({ resultSet: { person: [['http://example.org/ns#ada']], name_3: [['_:b2']] } });
});

test('N-Triples and N3', async () => {
    expect(await program('<http://e.org/a> <http://e.org/b> "c\\u00e9" .\n')).toBe('b("http://e.org/a","cé").\n@output("b").\n');
    const n3 = '@prefix : <http://e.org/> . { ?x :p ?y } => { ?y :q ?x } . :a :p :b . :c is :p of :d . :e :p ?z .';
    expect(await program(n3)).toBe('p("http://e.org/a","http://e.org/b").\np("http://e.org/d","http://e.org/c").\n@output("p").\n');
    expect(await program('# nothing')).toBe('');
    // A class and a property of one name are two predicates.
    expect(await program('<a> a <b> ; <b> <c> .')).toBe('b("a").\nb_2("a","c").\n@output("b").\n@output("b_2").\n');
});

test('hostile names and texts stay texts', async () => {
    const text =
        '<http://e.org/"). @output("x> <http://e.org/not> "\\"). x(1). % \\u202e\\\\" . <http://e.org/#> <http://e.org/__proto__> <x>, "a\\nb" .';
    const translated = await translate(text.replaceAll('<http://e.org/"). @output("x>', '<http://e.org/s>'));
    expect(translated.status).toBe(200);
    const { rulelang_program: made } = translated.body.data as { rulelang_program: string };
    const read = await post('/rulelang/analyze', { program: made });
    expect([read.status, read.body.data]).toEqual([200, { headPredicates: ['t_not', 't___proto__'], inputPredicates: [] }]);
    const { data } = (await post('/rulelang/evaluate', { program: made })).body;
    expect((data as { resultSet: Record<string, unknown> }).resultSet.t_not).toEqual([['http://e.org/s', '"). x(1). % \u202e\\']]);
});

test.each([
    ['hello', 'line 1, column 1: Unexpected "hello"'],
    ['<a> <b> <c> .\n<a> <b>', 'line 2, column 8: Expected entity but got eof'],
    ['<a> x:b <c> .', 'line 1, column 5: Undefined prefix "x:"'],
    [`<a> <b> ${'('.repeat(300_000)}`, 'line 1, column 73: brackets are nested deeper than 64 levels'],
])('%.60j is no RDF', async (text, reason) => {
    const { status, body } = await translate(text);
    expect([status, body.code, body.message]).toEqual([422, 'rdf_invalid', `RDF is not valid: ${reason}`]);
    expect(body.details?.diagnostics).toMatchObject([{ severity: 'error' }]);
});

const XML = `<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [<!ENTITY e "http://e.org/"><!ENTITY lol "&e;&e;">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/" xml:base="http://e.org/doc">
  <e:Person rdf:about="http://e.org/ada" e:nick="A&amp;A">
    <e:age rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">36</e:age>
    <e:name xml:lang="en">Ada <![CDATA[<L>]]></e:name>
    <e:knows rdf:resource="#bob"/>
    <e:owns><e:Dog rdf:ID="rex"><e:name>Rex</e:name></e:Dog></e:owns>
    <e:address rdf:parseType="Resource"><e:city>London</e:city></e:address>
    <e:list rdf:parseType="Collection"><rdf:Description rdf:about="x"/><e:Dog rdf:nodeID="d"/></e:list>
    <e:markup rdf:parseType="Literal">a <b>c</b></e:markup>
    <e:empty/>
  </e:Person>
  <rdf:Bag rdf:nodeID="d"><rdf:li>one</rdf:li><rdf:li>two</rdf:li></rdf:Bag>
</rdf:RDF>
`;

test('RDF/XML', async () => {
    expect((await program(XML)).split('\n').filter(line => !line.startsWith('@'))).toEqual([
        'person("http://e.org/ada").',
        'nick("http://e.org/ada","A&A").',
        'age("http://e.org/ada",36).',
        'name("http://e.org/ada","Ada <L>").',
        'knows("http://e.org/ada","http://e.org/doc#bob").',
        'owns("http://e.org/ada","http://e.org/doc#rex").',
        'dog("http://e.org/doc#rex").',
        'name("http://e.org/doc#rex","Rex").',
        'address("http://e.org/ada","_:b1").',
        'city("_:b1","London").',
        'list("http://e.org/ada","_:b2").',
        'first("_:b2","http://e.org/x").',
        'rest("_:b2","_:b3").',
        'first("_:b3","_:b4").',
        'dog("_:b4").',
        'rest("_:b3","http://www.w3.org/1999/02/22-rdf-syntax-ns#nil").',
        'markup("http://e.org/ada","a <b>c</b>").',
        'empty("http://e.org/ada","").',
        'bag("_:b4").',
        't__1("_:b4","one").',
        't__2("_:b4","two").',
        '',
    ]);
});

const OPEN = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/">';
test.each([
    [`${OPEN}<e:A>`, 'unclosed tag'],
    [`${OPEN}\n<e:A></e:B></rdf:RDF>`, 'line 2, column 11: unexpected close tag'],
    [`${OPEN}<e:A>text</e:A></rdf:RDF>`, "unexpected text 'text'"],
    [`${OPEN}<A/></rdf:RDF>`, "'A' is in no namespace"],
    [`${OPEN}<e:A><e:p><e:B/><e:C/></e:p></e:A></rdf:RDF>`, 'more than one value'],
    [`${OPEN}${'<e:A><e:p>'.repeat(1000)}`, 'nests too deeply'],
    [
        `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${OPEN}<e:A e:p="&b;"/></rdf:RDF>`,
        'entities are not put in place',
    ],
])('%.160s… is no RDF/XML', async (text, reason) => {
    const { status, body } = await translate(text);
    expect([status, body.code, body.message]).toEqual([422, 'rdf_invalid', expect.stringContaining(reason)]);
    expect(body.message).toMatch(/^RDF is not valid: line \d+, column \d+: /u);
});

test.each(['[ :b ', '{ :a :b '])('brackets %s that are nested too deeply', async open => {
    const { status, body } = await translate(`@prefix : <http://a#> . :a :b ${open.repeat(10_000)}`);
    expect([status, body.code, body.message]).toEqual([
        422,
        'rdf_invalid',
        expect.stringContaining('brackets are nested deeper than 64 levels'),
    ]);
});

test('brackets in texts, IRIs and comments, and many of them side by side', async () => {
    const text = `"${'('.repeat(100)}", """${'[\n'.repeat(100)}""". # ${'{'.repeat(100)}\n${':a :b []. '.repeat(100)}`;
    expect((await translate(`@prefix : <http://a#> . :a :b ${text}`)).status).toBe(200);
});
