import { describe, expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { withEdits } from '#language/editing/fix-all.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { CONNECTED_TYPES } from '#language/library/connected-sources.ts';
import { dataSourceNamed, dataSourceTypes } from '#language/library/data-sources.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';

const BIND = '@bind("p", "csv useHeaders=true", "data", "p.csv").\n';
const schema = (...names: string[]): SourceSchema => ({ columns: names.map(name => ({ name })) });

function open(text: string, found: SourceSchema): ReturnType<typeof openDocument> {
    return openDocument(text, 'p.rulelang', { schemas: new Map([['p', found]]) });
}

function told(text: string, found: SourceSchema): string[] {
    return open(text, found)
        .problems.filter(({ severity }) => severity !== 'hint')
        .map(({ code, severity, message, remedy }) => `${severity} ${code}: ${message}${remedy === undefined ? '' : `; ${remedy}`}`);
}

/** The text with a fix of its first problem, that which is preferred where no other is asked for. */
function mended(text: string, found: SourceSchema, number = 0): string {
    const document = open(text, found);
    const [problem] = document.problems;
    const fix = problem === undefined ? undefined : quickFixes(document, problem)[number];
    return fix === undefined
        ? text
        : withEdits(
              text,
              [...fix.edits].sort((a, b) => a.start - b.start),
          );
}

describe('a model that names columns in another order than the file', () => {
    const text = `${BIND}@model("p", "['id:int', 'dst:string', 'src:string']").\n@output("h"). h(X, Y) <- p(_, X, Y).\n`;

    test('is told once, and mended by the order of the file, or by mappings', () => {
        const found = schema('id', 'src', 'dst');
        expect(told(text, found)).toEqual([
            "warning RL6113: Column 2 of 'p.csv' is 'src', but the model calls it 'dst', which is column 3; read the columns by name with @mapping, or write the fields in the order of the file",
        ]);
        const ordered = mended(text, found);
        expect(ordered).toContain(`@model("p", "['id:int', 'src:string', 'dst:string']").`);
        expect(told(ordered, found)).toEqual([]);
        const fixed = mended(text, found, 1);
        expect(fixed).toContain('@mapping("p", 1, "dst", "string").\n@mapping("p", 2, "src", "string").');
        expect(told(fixed, found)).toEqual([]);
    });

    test('is reordered with types and keys, and only where its fields are the columns of the file', () => {
        const model = `${BIND}@model("p", "['b (ID) : int' ,  'c:date','a:list<string>']", "[a] is [b]"). @output("h"). h(X) <- p(X, _, _).\n`;
        expect(mended(model, schema('A', 'b', 'c'))).toContain(
            `@model("p", "['a:list<string>' ,  'b (ID) : int','c:date']", "[a] is [b]")`,
        );
        expect(mended(model, schema('x', 'b', 'c'))).toContain('@mapping("p", 0, "b", "int").');
        expect(mended(model, schema('a', 'b', 'c', 'd'))).not.toContain("['a:list");
    });

    test('is no mistake where the names are others, the same in other letters, or mapped', () => {
        expect(told(text, schema('a', 'b', 'c'))).toEqual([]);
        expect(told(text, schema('ID', 'Dst ', 'SRC'))).toEqual([]);
        const mapped = `${text}@mapping("p", 1, "dst", "string"). @mapping("p", 2, "src", "string").\n`;
        expect(told(mapped, schema('id', 'src', 'dst'))).toEqual([]);
    });
});

test('a mapping of a column that the header lacks has the nearest name', () => {
    const text = `${BIND}@mapping("p", 0, "naem", "string").\n@output("h"). h(X) <- p(X).\n`;
    expect(told(text, schema('name', 'age'))).toEqual(["warning RL6114: 'p.csv' has no column 'naem'; did you mean 'name'?"]);
    expect(told(mended(text, schema('name', 'age')), schema('name', 'age'))).toEqual([]);
    expect(told(text, { columns: [{}, {}] })).toEqual([]);
});

test('fewer terms than the header has columns are a note', () => {
    const text = `${BIND}@output("h"). h(X) <- p(X, _).\n`;
    expect(told(text, schema('a', 'b', 'c'))).toEqual(["information RL1104: 'p' has 3 columns; the last one is ignored; pad with '_'"]);
    expect(told(text, { columns: [{}, {}, {}] })).toEqual([]);
});

test('cells that another sign separates', () => {
    const text = `${BIND}@output("h"). h(X) <- p(X, _).\n`;
    const found = { ...schema('a;b'), delimiter: ';' };
    expect(told(text, found)).toEqual([
        "warning RL6116: 'p.csv' is read as one column: its cells seem to be separated by ';'; write delimiter=';' in the bind",
        "error RL1102: 'p' has 1 column but 2 are given; write delimiter=';' in the bind",
    ]);
    expect(mended(text, found)).toContain(`"csv useHeaders=true, delimiter=';'"`);
});

test('every type without a connector is told at its bind', () => {
    const connected: readonly string[] = CONNECTED_TYPES;
    for (const type of dataSourceTypes()) {
        const text = `@bind("p", "${type}", "x", "y").\n@output("h"). h(X) <- p(X).\n`;
        expect({ type, told: told(text, schema('a')).some(problem => problem.includes('RL6115')) }).toEqual({
            type,
            told: !connected.includes(dataSourceNamed(type)?.type ?? type),
        });
    }
    expect(told('@qbind("p", "csv", "x", "select a").\n@output("h"). h(X) <- p(X).\n', schema('a'))[0]).toContain('RL6115');
});

describe('a column that has changed since the model was written', () => {
    const bind = '@bind("p", "parquet", "data", "p.parquet").\n';
    const model = (...fields: string[]): string =>
        `${bind}@model("p", "[${fields.map(field => `'${field}'`).join(', ')}]").\n@output("h"). h(X) <- p(X, _, _).\n`;
    const typed = (...columns: (readonly [name: string, kind?: 'int' | 'double' | 'string' | 'date' | 'mixed'])[]): SourceSchema => ({
        columns: columns.map(([name, kind]) => ({ name, ...(kind && { type: { kind } }) })),
    });

    test('is told with the type that it holds, which a fix writes', () => {
        const text = model('id:int', 'total (ID) : int', 'day:date');
        const found = typed(['id', 'int'], ['total', 'double'], ['day', 'date']);
        expect(told(text, found)).toEqual([
            "warning RL6118: Column 'total' of 'p.parquet' holds double, but the program says int; write 'double'",
        ]);
        const mendedText = mended(text, found);
        expect(mendedText).toContain("'total (ID) : double'");
        expect(told(mendedText, found)).toEqual([]);
        expect(told(text, typed(['id', 'int'], ['total', 'int'], ['day', 'int']))).toEqual([
            "warning RL6118: Column 'day' of 'p.parquet' holds int, but the program says date; write 'int'",
        ]);
    });

    test('is a note where text may still be converted, and nothing where nothing is lost', () => {
        const text = model('id:int', 'total:double', 'day:string');
        expect(told(text, typed(['id', 'string'], ['total', 'int'], ['day', 'date']))).toEqual([
            "information RL6118: Column 'id' of 'p.parquet' holds string, but the program says int; write 'string'",
        ]);
        expect(told(text, typed(['id', 'mixed'], ['total'], ['day']))).toEqual([]);
        // Where a source has no dates, they are texts.
        expect(told(model('id:int', 'total:double', 'day:date'), typed(['id', 'int'], ['total', 'int'], ['day', 'string']))).toEqual([]);
    });

    test('is told of texts of a file of which none is such a value', () => {
        const text = model('id:int', 'name:string', 'total:double');
        const column = (name: string, ...examples: string[]) => ({ name, examples });
        const of = (...totals: string[]): SourceSchema => ({
            columns: [column('id', '1', '2'), column('name', 'a'), column('total', ...totals)],
        });
        expect(told(text, of('12 EUR', '7 EUR'))).toEqual([
            "warning RL6118: Column 'total' of 'p.parquet' holds string, but the program says double; write 'string'",
        ]);
        for (const totals of [['1.5', 'n/a'], ['n/a'], []]) expect(told(text, of(...totals))).toEqual([]);
    });

    test('of a mapping is told at its type', () => {
        const text = `${bind}@mapping("p", 0, "total", "int").\n@output("h"). h(X) <- p(X).\n`;
        const found = typed(['id', 'int'], ['total', 'double']);
        expect(told(text, found)).toEqual([
            "warning RL6118: Column 'total' of 'p.parquet' holds double, but the program says int; write 'double'",
        ]);
        expect(mended(text, found)).toContain('@mapping("p", 0, "total", "double")');
    });

    test('is called renamed where all others have the names of their columns', () => {
        const text = model('id:int', 'name:string', 'total:int');
        expect(told(text, schema('ID', 'name', 'amount'))).toEqual([
            "information RL6119: Column 3 of 'p.parquet' is 'amount', but the model calls it 'total'; write 'amount'",
        ]);
        expect(mended(text, schema('ID', 'name', 'amount'))).toContain("'amount:int'");
        expect(told(text, schema('id', 'name', 'amount due'))).toEqual([
            "information RL6119: Column 3 of 'p.parquet' is 'amount due', but the model calls it 'total'; write the name of the column where it means the same; else look at what it holds",
        ]);
        for (const names of [
            ['id', 'label', 'amount'],
            ['id', 'name', 'total'],
        ])
            expect(told(text, schema(...names))).toEqual([]);
    });
});
