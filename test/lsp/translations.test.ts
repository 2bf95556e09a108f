import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const SHOP =
    '@bind("orders", "csv useHeaders=true", "", "orders.csv").\n@model("orders", "[\'id:int\', \'customer:string\', \'total:int\']").\nold(X) <- orders(X, _, _).\n@output("old").\n';
const FILES = { 'shop.rulelang': SHOP, 'orders.csv': 'id,customer,total\n1,Ann,10\n2,Bo,20\n3,Ann,5\n' };

let client: LanguageClient;
afterEach(() => client.stop());

const translate = (kind: string, text: string, others: object = {}) =>
    client.request('rulelang/translate', { kind, text, tables: [], name: 'result', ...others });

test('a query becomes rules over the tables of the program, under a name that is free', async () => {
    client = await LanguageClient.start({ trusted: false, files: FILES });
    await client.open('shop.rulelang', SHOP);
    const uri = client.uri('shop.rulelang');
    const query = 'SELECT customer, SUM(total) AS s FROM orders GROUP BY customer';
    const rules = `% NULLs count as one value here, called Unknown.
old_2(Customer, S) <-
    orders(_, OrdersCustomer, Total),
    Unknown = collections:get([], 1),
    Customer = nullManagement:coalesce(OrdersCustomer, Unknown),
    Total2 = sum(nullManagement:coalesce(Total, 0)),
    Values = sum(if(is_null(Total), 0, 1)),
    S = if(Values > 0, Total2, null).
@output("old_2").
`;
    expect(await translate('sql', query, { uri, name: 'old' })).toEqual({
        kind: 'program',
        program: rules,
        output: 'old_2',
        unmapped: [],
    });
    const { program } = await translate('sql', 'SELECT a FROM t', { tables: [{ name: 't', columns: ['b', 'a'] }] });
    expect(program).toBe('result(A) <- t(_, A).\n@output("result").\n');
});

test('what no rules are written for stays a query, and its place is told', async () => {
    client = await LanguageClient.start({ trusted: false });
    const { program, unmapped } = await translate('sql', 'SELECT a\nFROM t\nLIMIT 3');
    expect(program).toContain('result() <- SELECT a\nFROM t\nLIMIT 3.');
    expect(unmapped).toEqual([
        {
            message: 'No rules are written for LIMIT: the query stays as it is.',
            range: { start: { line: 2, character: 0 }, end: { line: 2, character: 5 } },
        },
    ]);
    expect(await translate('sql', 'SELECT a\nFROM FROM')).toMatchObject({
        kind: 'refused',
        problems: [{ range: { start: { line: 1, character: 9 } } }],
    });
    expect(await translate('sql', 'DELETE FROM t')).toMatchObject({ kind: 'refused' });
});

const ONTOLOGY = `@prefix : <http://e.org/o#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:o a owl:Ontology ; owl:imports <http://e.org/other> .
:Dog a owl:Class ; rdfs:subClassOf :Animal ; rdfs:label "dog" .
:Parent rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :has ; owl:minCardinality 2 ] .
:has a owl:ReflexiveProperty .
:rex a :Dog .
`;

test('an ontology becomes rules and facts, and every statement that gives neither is told at its line', async () => {
    client = await LanguageClient.start({ trusted: false });
    const { program, unmapped } = await translate('owl', ONTOLOGY);
    expect(program).toContain('animal(X) <- dog(X).');
    expect(program).toContain('dog("http://e.org/o#rex").');
    const told = unmapped.map(({ message, range }: { message: string; range: { start: { line: number } } }) => [
        range.start.line + 1,
        message,
    ]);
    expect(told).toEqual([
        [4, "'http://e.org/other' is imported, and imports are not loaded: no rules come from it"],
        [6, "no rule is written for 'subClassOf' of 'Parent': no rule can tell its definition"],
        [7, "no rule is written for 'has' being of the type 'ReflexiveProperty'"],
    ]);
});

test('RDF becomes facts, and what is not stated is told', async () => {
    client = await LanguageClient.start({ trusted: false });
    const text = '@prefix : <http://e.org/#> .\n:a :b 3 .\n{ :x :y ?z } => { ?z :y :x } .\n';
    const { program, unmapped } = await translate('rdf', text);
    expect(program).toBe('b("http://e.org/#a", 3).\n@output("b").\n');
    expect(unmapped).toMatchObject([{ range: { start: { line: 2 } } }]);
    expect(await translate('rdf', ':a :b')).toMatchObject({ kind: 'refused', problems: [{ range: { start: { line: 0 } } }] });
});

const compare = (program: string, query: string) =>
    client.request('rulelang/compareTranslation', { uri: client.uri('shop.rulelang'), program, query, output: 'sums' });

test('rows of rules are compared with those of the query', async () => {
    client = await LanguageClient.start({ trusted: true, files: FILES });
    const query = 'SELECT customer, SUM(total) AS s FROM orders GROUP BY customer';
    const rules = `${SHOP}sums(C, S) <- orders(_, C, T), S = sum(T).\n@output("sums").\n`;
    expect(await compare(rules, query)).toEqual({
        kind: 'compared',
        columns: ['customer', 's'],
        equal: [
            ['Ann', '15'],
            ['Bo', '20'],
        ],
        ofQuery: [],
        ofRules: [],
    });
    expect(await compare(rules.replace('sum(T)', 'max(T)'), query)).toMatchObject({
        equal: [['Bo', '20']],
        ofQuery: [['Ann', '15']],
        ofRules: [['Ann', '10']],
    });
    expect(await compare(rules.replace('orders(_, C, T)', 'orders(_, C)'), 'SELECT nothing FROM orders')).toMatchObject({
        kind: 'not-run',
    });
    expect(await compare(rules, 'DROP TABLE orders')).toEqual({ kind: 'not-run', reason: 'it is no SELECT' });
});

test('nothing is compared in a workspace that is not trusted', async () => {
    client = await LanguageClient.start({ trusted: false, files: FILES });
    await expect(compare(SHOP, 'SELECT 1')).rejects.toThrow('not trusted');
});
