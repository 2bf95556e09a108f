import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OutputRows } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { refusedBind, runConnectors } from '#server/sources/connectors.ts';
import { folderWith } from '../../cli/command-line.ts';
import { reportOf, rowsOf } from '../../support/describe-source.ts';
import { fc } from '../../support/fast-check.ts';

interface Named {
    readonly value: string;
}

/** Another reader of N-Triples. */
const { Parser } = createRequire(import.meta.url)('n3') as {
    readonly Parser: new (options: {
        readonly format: string;
    }) => { parse(text: string): { readonly predicate: Named; readonly object: Named }[] };
};

const BASE = "outputFormat=rdf, baseIri='https://x.org/'";

function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    const parameters = (name: string) => (name === 'base' ? 'https://given.org/' : undefined);
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters };
}

function bindTo(source: string, inner: string, outer = ''): Bind {
    const text = `person(1). @output("person"). @bind("person", ${JSON.stringify(source)}, "${outer}", "${inner}").`;
    const [bind] = analyse(readProgram(text, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

type Row = (dictionary: Dictionary) => readonly ValueId[];

function rowsWith(columns: readonly (readonly [string, Type])[], rows: readonly Row[]): OutputRows {
    const dictionary = new Dictionary();
    const ids = rows.map(row => row(dictionary));
    return {
        dictionary,
        columns: columns.map(([name, type]) => ({ name, type, cast: false })),
        count: rows.length,
        at: (row, column) => ids[row]?.[column] ?? expect.fail('no such value'),
    };
}

async function write(folder: string, bind: Bind, rows: OutputRows): Promise<void> {
    const sink = runConnectors(accessTo(folder)).sink(bind);
    try {
        await sink?.try();
        await sink?.write(rows, () => undefined);
        await sink?.commit();
    } catch (error) {
        await sink?.discard();
        throw error;
    }
}

const TERMS: readonly Column[] = ['s', 'p', 'o'].map(name => ({ name, type: { kind: 'string' }, cast: true }));

/** The statements that a target holds, each as one line of N-Triples. */
async function statementsIn(folder: string, type: string, inner: string, outer = ''): Promise<string[]> {
    const { rows } = await rowsOf({ ...bindTo(type, inner, outer), direction: 'input' }, accessTo(folder), () => undefined, TERMS);
    return rows.map(row => `${row.slice(1, -1).replaceAll('","', ' ').replaceAll('""', '"')} .`.replaceAll('\\\\', '\\'));
}

const STRING: Type = { kind: 'string' };
const INT: Type = { kind: 'int' };
const PEOPLE = [
    ['name', STRING],
    ['age', INT],
    ['home', STRING],
    ['tags', { kind: 'list', element: STRING }],
] as const;
const person =
    (name: string, age: number, home: string, ...tags: string[]): Row =>
    d => [d.string(name), d.number(age), d.string(home), d.list(tags.map(tag => d.string(tag)))];

const ENTITIES = [
    '<https://x.org/ada%20l> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://x.org/person> .',
    '<https://x.org/ada%20l> <https://x.org/age> "36"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    '<https://x.org/ada%20l> <https://x.org/home> <https://town.org/a%20b> .',
    '<https://x.org/ada%20l> <https://x.org/tags> "x" .',
    '<https://x.org/ada%20l> <https://x.org/tags> "y" .',
    '<https://x.org/person> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .',
    ...['age', 'home', 'tags'].map(
        name =>
            `<https://x.org/${name}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/1999/02/22-rdf-syntax-ns#Property> .`,
    ),
];

describe.each([
    ['csv', 'out.csv', ''],
    ['csv', 'out.csv.gz', ''],
    ['parquet', 'out.parquet', ''],
    ['sqlite', 't', 'out.db'],
])('%s: %s', (type, inner, outer) => {
    test('rows are written as statements about entities', async () => {
        const folder = folderWith({});
        const rows = rowsWith(PEOPLE, [person('ada l', 36, 'https://town.org/a b', 'x', 'y', 'x')]);
        await write(folder, bindTo(`${type} ${BASE}`, inner, outer), rows);
        expect(await statementsIn(folder, type, inner, outer)).toEqual(ENTITIES);
    });
});

test('the columns of the target are called subject, predicate and object', async () => {
    const folder = folderWith({});
    await write(folder, bindTo(`csv ${BASE}, emitOntology=false, useHeaders=true`, 'o.csv'), rowsWith([['id', INT]], [d => [d.number(7)]]));
    expect(readFileSync(join(folder, 'o.csv'), 'utf8')).toBe(
        'subject,predicate,object\n<https://x.org/7>,<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>,<https://x.org/person>\n',
    );
});

const plain = async (options: string, rows: OutputRows): Promise<string[]> => {
    const folder = folderWith({});
    await write(folder, bindTo(`csv outputFormat=rdf, emitOntology=false, ${options}`, 'o.csv'), rows);
    return statementsIn(folder, 'csv', 'o.csv');
};
const short = (statement: string): string =>
    statement
        .replaceAll('<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>', 'a')
        .replaceAll(/<https:\/\/x\.org\/([^>]*)>/gu, ':$1')
        .replaceAll(/<http:\/\/www\.w3\.org\/2001\/XMLSchema#(\w+)>/gu, 'xsd:$1');

test('the subject, its class and the types of values are those of the options', async () => {
    const rows = rowsWith(
        [
            ['age', INT],
            ['kind', STRING],
            ['id', STRING],
            ['born', STRING],
            ['size', { kind: 'double' }],
            ['day', { kind: 'date' }],
        ],
        [d => [d.number(3), d.string('Cat'), d.string('tom'), d.string('2031'), d.number(2), d.date(22_378)]],
    );
    const said = await plain(
        "baseIri='https://x.org/', subjectColumn=id, subjectTypeColumn=kind, literalTypes='born:xsd:gYear, age:https://t.org/age'",
        rows,
    );
    expect(said.map(short)).toEqual([
        ':tom a :Cat .',
        ':tom :age "3"^^<https://t.org/age> .',
        ':tom :born "2031"^^xsd:gYear .',
        ':tom :size "2.0"^^xsd:double .',
        ':tom :day "2031-04-09"^^xsd:date .',
    ]);
    expect((await plain(`baseIri='\${base}'`, rowsWith([['id', INT]], [d => [d.number(1)]])))[0]).toMatch(/^<https:\/\/given\.org\/1>/u);
});

test('unknown values are blank nodes, the same where they are the same', async () => {
    const row: Row = d => {
        const one = d.freshNull('x');
        return [one, one, d.freshNull('x')];
    };
    const said = await plain(
        "baseIri='https://x.org/'",
        rowsWith(
            [
                ['id', STRING],
                ['a', STRING],
                ['b', STRING],
            ],
            [row],
        ),
    );
    expect(said.map(short)).toEqual(['_:z1 a :person .', '_:z1 :a _:z1 .', '_:z1 :b _:z2 .']);
});

test('rows that are statements themselves', async () => {
    const columns = ['s', 'p', 'o', 'c', 'd'].map(name => [name, STRING] as const);
    const row =
        (...texts: (string | undefined)[]): Row =>
        d =>
            texts.map(text => (text === undefined ? d.freshNull('x') : d.string(text)));
    const rows = rowsWith(columns, [
        row('ada', 'knows', 'bob', 'Person', 'Person'),
        row('ada', 'says', 'hi "x"\n', undefined, undefined),
        row('urn:a', 'https://y.org/p', 'urn:b', undefined, undefined),
    ]);
    const typed = "baseIri='https://x.org/', mode=triple, subjectTypeColumn=c, objectTypeColumn=d";
    expect((await plain(typed, rows)).map(short)).toEqual([
        ':ada a :Person .',
        ':ada :knows :bob .',
        ':bob a :Person .',
        ':ada :says "hi \\"x\\"\\n" .',
        '<urn:a> <https://y.org/p> <urn:b> .',
    ]);
    const turned = "baseIri='https://x.org/', mode=triple, subjectColumn=o, predicateColumn=p, objectColumn=s";
    expect((await plain(turned, rowsWith(columns, [row('a', 'b', 'c', 'd', 'e')]))).map(short)).toEqual([':c :b "a" .']);
});

test.each([
    ['csv outputFormat=xml', 'RT064', "cannot be used with outputFormat='xml': write rdf"],
    ['json outputFormat=rdf', 'RT065', "Option 'outputFormat' of a json bind"],
    [`csv ${BASE}, graphIri='https://g.org'`, 'RT065', "Option 'graphIri' of a csv bind"],
    [`csv ${BASE}, mode=both`, 'RT064', 'write entity or triple'],
    [`csv ${BASE}, objectColumn=a`, 'RT064', "it belongs to mode='triple'"],
    [`csv ${BASE}, literalTypes='age'`, 'RT064', 'write column:type pairs'],
    [`csv ${BASE}, emitOntology=perhaps`, 'RT064', 'write true or false'],
    ["csv outputFormat=rdf, baseIri='x y'", 'RT064', 'write an address'],
])('%s is refused before the run', async (source, code, words) => {
    const folder = folderWith({});
    const bind = bindTo(source, source.startsWith('json') ? 'o.json' : 'o.csv');
    const told = [refusedBind(bind, accessTo(folder))?.report, await reportOf(() => write(folder, bind, rowsWith([], [])))];
    for (const one of told) {
        expect(one?.code).toBe(code);
        expect(one?.message).toContain(words);
    }
});

test.each([
    ['outputFormat=rdf', "'ada' is no address; say with baseIri"],
    [`${BASE}, subjectColumn=nme`, "has no column for subjectColumn: its columns are 'name', 'age', 'home', 'tags'"],
    [`${BASE}, subjectColumn=tags`, "column 'tags' of row 1 names a resource, and holds a collection"],
    [`${BASE}, literalTypes='ages:int'`, 'has no column for literalTypes'],
    [`${BASE}, mode=triple, objectColumn=x`, 'has no column for objectColumn'],
])('csv %s ends the run in words', async (options, words) => {
    const told = await reportOf(() => write(folderWith({}), bindTo(`csv ${options}`, 'o.csv'), rowsWith(PEOPLE, [person('ada', 1, 'x')])));
    expect([told?.code, told?.message]).toEqual(['RT064', expect.stringContaining(words)]);
});

test('another program reads whatever is written', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 8 });
    await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(text, fc.integer(), text), { minLength: 1, maxLength: 5 }), async people => {
            const rows = rowsWith(
                [
                    ['id', STRING],
                    ['n', INT],
                    ['note', STRING],
                ],
                people.map(
                    ([id, n, note]): Row =>
                        d => [d.string(id), d.number(n), d.string(note)],
                ),
            );
            const folder = folderWith({});
            await write(folder, bindTo(`parquet ${BASE}, literalTypes='note:string'`, 'o.parquet'), rows);
            const dictionary = new Dictionary();
            const written: string[][] = [];
            await runConnectors(accessTo(folder))
                .source({ ...bindTo('parquet', 'o.parquet'), direction: 'input' })
                ?.load({
                    dictionary,
                    columns: TERMS,
                    add: row => void written.push(Array.from(row, id => dictionary.stringOf(id))),
                    checkpoint: () => undefined,
                    report: () => undefined,
                });
            expect(written.length).toBeGreaterThan(people.length);
            const triples = new Parser({ format: 'N-Triples' }).parse(written.map(([s, p, o]) => `${s} ${p} ${o} .\n`).join(''));
            expect(triples).toHaveLength(written.length);
            const notes = triples.filter(({ predicate }) => predicate.value === 'https://x.org/note').map(({ object }) => object.value);
            expect(new Set(notes)).toEqual(new Set(people.map(([, , note]) => note)));
        }),
        { numRuns: 30 },
    );
});
