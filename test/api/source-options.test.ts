import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workbookOf } from '../support/workbook.ts';
import { dataCalls, dataOf } from './data-calls.ts';
import { type Services, startServices } from './services.ts';

/** Each option of files takes effect where they are connected, and in the bind that reads them then. */
let services: Services;
const { send, connect } = dataCalls(() => services);
beforeAll(async () => {
    services = await startServices();
});
afterAll(() => services.stop());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const workbook = workbookOf({ People: [['name', 'age'], ['ada', 36]], Other: [['x'], ['y', 'name', 'age'], ['z', 'bob', 41]] }); // biome-ignore format: rows

test.each([
    ['csv', 'delimiter', { delimiter: ';' }, bytes('name;age\nada;36\n'), [['ada', 36]]],
    ['csv', 'useHeaders', { useHeaders: 'false' }, bytes('ada,36\n'), [['ada', 36]]],
    ['csv', 'encoding', { encoding: 'ISO-8859-1' }, Uint8Array.of(0x6e, 0x2c, 0x61, 0x0a, 0xe9, 0x2c, 0x31, 0x0a), [['é', 1]]],
    ['csv', 'recordSeparator', { recordSeparator: '|' }, bytes('name,age|ada,36|'), [['ada', 36]]],
    ['csv', 'multiline', { multiline: 'true' }, bytes('name,age\n"a\nb",36\n'), [['a\nb', 36]]],
    ['csv', 'nullString', { nullString: 'NA' }, bytes('name,age\nada,36\nbob,NA\n'), [['ada', 36]]],
    ['csv', 'compression', { compression: 'gzip' }, gzipSync('name,age\nada,36\n'), [['ada', 36]]],
    ['csv', 'selectedColumns', { selectedColumns: "['name'; 'age']" }, bytes('x,age,name\n0,36,ada\n'), [['ada', 36]]],
    ['excel', 'dataAddress', { dataAddress: "'Other'!B2" }, workbook, [['bob', 41]]],
    ['excel', 'useHeaders', { useHeaders: 'false', dataAddress: "'People'!A2" }, workbook, [['ada', 36]]],
    ['json', 'multiline', { multiline: 'false' }, bytes('{"a":"ada","b":36}\n'), [['ada', 36]]],
])('%s: %s', async (databaseType, key, options, content, rows) => {
    const databaseName = `${databaseType}-${key.toLowerCase()}.${databaseType === 'excel' ? 'xlsx' : databaseType}`;
    writeFileSync(join(services.folder, databaseName), content);
    const database = { databaseType, host: '', port: null, databaseName, username: '', password: '', options };
    const found = dataOf(await connect({ ...database, host: services.folder }));
    expect(found.errorMessage).toBeNull();
    const [source] = found.sources;
    expect(source?.columns.map(({ type }) => type)).toEqual(['STRING', 'INT']);
    const predicate = /^@bind\("(\w+)"/u.exec(source?.bind_annotation ?? '')?.[1];
    const program = `${source?.bind_annotation} @model("${predicate}","['a:string','b:int']"). a(X, Y) :- ${predicate}(X, Y), !is_null(Y). @output("a").`;
    const { body } = await send('POST', '/rulelang/evaluate', { program });
    expect(body.data ?? body.message).toMatchObject({ resultSet: { a: rows } });
});

test('an option that its type has not is kept and told', async () => {
    writeFileSync(join(services.folder, 'plain.csv'), 'a\n1\n');
    const database = { databaseType: 'csv', host: services.folder, port: null, databaseName: 'plain.csv', username: '', password: '' };
    const found = dataOf(await connect({ ...database, options: { colour: 'red' } }));
    expect(found.connectionStatus).toBe(true);
});
