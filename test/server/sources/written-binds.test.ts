import { describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { type InferredTable, inferredProgram } from '#server/sources/inferred-program.ts';
import type { ProgramPlace } from '#server/sources/program-place.ts';
import { printBind, type SourceBind } from '#server/sources/source-bind.ts';
import type { FoundColumn } from '#server/sources/surveys/found-table.ts';
import { writtenBinds } from '#server/sources/written-binds.ts';

const currentFolder = '/srv/data';
const columns: FoundColumn[] = [
    { name: 'name', type: 'STRING' },
    { name: 'revenue', type: 'DOUBLE' },
    { name: 'key', type: 'INT', isLong: true },
];
const csv = (outer: string, inner: string): SourceBind => ({ kind: 'bind', type: 'csv', source: "csv useHeaders='true'", outer, inner });
const postgresql: SourceBind = {
    kind: 'bind',
    type: 'postgresql',
    source: "postgresql host='db', database='shop', username='app'",
    outer: 'public',
    inner: 'companies',
};
const source = (bind: SourceBind, name = 'companies') => ({ name, columns, bind: printBind('any', bind) });

function written(bind: SourceBind, program = '', place?: ProgramPlace): string {
    return writtenBinds({ sources: [source(bind)], program, currentFolder, ...(place && { place }) });
}

const MODEL = `@model("companies", "['name:string', 'revenue:double', 'key:long']").\n`;

describe('binds for a program', () => {
    test('have the types of the columns, and paths from the program to what lies below its root', () => {
        const place = { folder: '/home/ada/ws/rules', root: '/home/ada/ws' };
        const bind = (path: string) => `@bind("companies", "csv useHeaders='true'", ${JSON.stringify(path)}, "companies.csv").\n${MODEL}`;
        expect(written(csv('/home/ada/ws', 'companies.csv'), '', place)).toBe(bind('..'));
        expect(written(csv('/home/ada/ws/rules', 'companies.csv'), '', place)).toBe(bind('.'));
        expect(written(csv('/home/ada/ws/data', 'companies.csv'), '', place)).toBe(bind('../data'));
        expect(written(csv('/home/ada/wsx', 'companies.csv'), '', place)).toBe(bind('/home/ada/wsx'));
        // What services read from their folder stands elsewhere for others.
        expect(written(csv('in', 'companies.csv'), '', place)).toBe(bind('/srv/data/in'));
        expect(written(csv('in', 'companies.csv'))).toBe(bind('in'));
        const sqlite: SourceBind = { kind: 'bind', type: 'sqlite', source: 'sqlite', outer: '/home/ada/ws/shop.db', inner: 'companies' };
        expect(written(sqlite, '', place)).toBe(`@bind("companies", "sqlite", "../shop.db", "companies").\n${MODEL}`);
        expect(written(postgresql, '', place)).toContain('"public", "companies").');
    });

    test('are written once, whatever predicate reads the source', () => {
        const place = { folder: '/home/ada/ws' };
        const bind = csv('/home/ada/ws', 'companies.csv');
        const program = written(bind, '', place);
        expect(written(bind, program, place)).toBe('');
        expect(written(bind, program.replaceAll('"companies"', '"firm"'), place)).toBe('');
        expect(written(bind, `% here\n${written(bind)}`, place)).toBe('');
    });

    test('give rows to a predicate that a program uses, and to none that has others', () => {
        const rows = csv('.', 'companies.csv');
        expect(written(rows, 'rich(X) <- companies(X, R, _), R > 100.')).toContain('@bind("companies",');
        // A rule that is being typed spoils no other.
        expect(written(rows, 'companies("Acme", 1.5, 7).\nrich(X) <- ow')).toMatch(/@bind\("companies_2",.*\n@model\("companies_2",/u);
        expect(written(rows, written(postgresql))).toContain('@bind("companies_2",');
        expect(written(rows, '@input("companies").')).toContain('@bind("companies_2",');
        expect(written(rows, MODEL)).toBe(`@bind("companies", "csv useHeaders='true'", ".", "companies.csv").\n`);
        const both = writtenBinds({ sources: [source(rows), source(postgresql)], program: '', currentFolder });
        expect(both.match(/@bind\("\w+"/gu)).toEqual(['@bind("companies"', '@bind("companies_2"']);
    });
});

describe('a program for several sources', () => {
    const table = (name: string, bind: SourceBind, foreignKeys: InferredTable['foreignKeys'] = []): InferredTable => {
        return { name, columns, foreignKeys, rowsOf: predicate => printBind(predicate, bind) };
    };
    const key = { columns: ['name'], table: 'companies', references: ['name'] };
    const parts = { addBind: true, addModel: true, addOutput: true };

    test('joins tables of one source alone, and has no problem of its own', () => {
        const shop = [table('companies', postgresql), table('orders', { ...postgresql, inner: 'orders' }, [key])];
        const program = inferredProgram([[table('companies', csv('.', 'companies.csv'))], shop], parts);
        expect(program).toContain('companies_2(Name, Revenue, Key) <- companies_2_source(Name, Revenue, Key).');
        expect(program).toMatch(/orders_join\([^)]*\) <-\s+orders\([^)]*\),\s+companies_2\(/u);
        expect(program.match(/@output.*/gu)).toEqual(['@output("companies").', '@output("orders_join").']);
        expect(analyse(readProgram(program, 'p.rulelang').value).problems.map(({ code }) => code)).toEqual([]);
    });

    test('has nothing where there is nothing', () => {
        expect(inferredProgram([[], []], parts)).toBe('');
    });
});
