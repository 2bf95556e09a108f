import { expect, test } from 'vitest';
import { readArguments } from '#server/cli/arguments.ts';
import { translate } from '#server/cli/commands/translate.ts';
import { folderWith, rulelang } from './command-line.ts';

const SHOP = `@bind("orders", "csv useHeaders=true", ".", "orders.csv").
@model("orders", "['customer:string', 'total:int']").
large(Customer) <- orders(Customer, Total), Total > 100.
@output("large").
`;
const CSV = 'customer,total\nAda,150\nBob,20\n';
const ONTOLOGY = `@prefix : <http://family#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Parent rdfs:subClassOf :Person .
:Lone rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :hasChild ; owl:maxCardinality 3 ] .
`;

test('a query becomes rules over the columns of a program, under a name of its own', async () => {
    const folder = folderWith({ 'shop.rulelang': SHOP, 'orders.csv': CSV, 'large.sql': 'SELECT customer FROM orders WHERE total > 10' });
    const { code, stdout, stderr } = await rulelang(folder, ['translate', 'sql', 'large.sql', '--program', 'shop.rulelang']);
    expect([code, stderr, stdout.at(-1)]).toEqual([0, '', '\n']);
    const joined = folderWith({ 'orders.csv': CSV, 'all.rulelang': `${SHOP}${stdout}` });
    const ran = await rulelang(joined, ['run', 'all.rulelang', '--format', 'csv', '--output', 'large_2']);
    expect(ran).toMatchObject({ code: 0, stdout: 'Customer\nAda\nBob\n' });
});

test('what no rules are written for is said at its place, and a query that is none is refused', async () => {
    const folder = folderWith({ 'family.ttl': ONTOLOGY });
    const [ontology, broken, facts] = await Promise.all([
        rulelang(folder, ['translate', 'owl', 'family.ttl']),
        rulelang(folder, ['translate', 'sql', '-'], 'SELECT a FROM t WHERE\n  b = = 2'),
        rulelang(folder, ['translate', 'rdf', '-'], '<http://a#b> <http://a#c> "d" .\n'),
    ]);
    expect(ontology).toMatchObject({ code: 0, stdout: expect.stringMatching(/person\(.*\) <- parent\(/u) });
    expect(ontology.stderr).toMatch(/^warning not_translated: .*'subClassOf' of 'Lone'[^┌]*┌─ family\.ttl:5:1\n/u);
    expect(broken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^error sql_invalid: [^┌]*┌─ -:2:/u) });
    expect(facts).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"d"') });
});

test('one kind, one file, and a project for words', () => {
    const asked =
        (...args: readonly string[]) =>
        () =>
            translate.job(readArguments(args, translate.options));
    expect(asked('cobol', 'a')).toThrow("cannot 'cobol': choose sql, rdf, owl, nl");
    expect(asked('sql')).toThrow('name one file to translate');
    expect(asked('nl', 'wish.txt')).toThrow('name the project with --project');
    expect(asked('owl', 'a.ttl', '--project', 'p')).toThrow("'owl' takes no option '--project'");
});
