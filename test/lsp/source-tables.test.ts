import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { sqliteScript } from '../support/sqlite-script.ts';
import { workbookOf } from '../support/workbook.ts';
import { LanguageClient } from './language-client.ts';

/** Tables of files that hold several. Those of databases: `test/databases/editor.slow.ts`. */
let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

/** What is answered at the `|` of a text, once the file has been looked at. */
async function asked(method: 'completion' | 'hover', marked: string) {
    const uri = client.uri('p.rulelang');
    await client.open('p.rulelang', marked.replace('|', ''));
    const position = { line: 0, character: marked.indexOf('|') };
    for (;;) {
        const answer = await client.request(`textDocument/${method}`, { textDocument: { uri }, position });
        if (answer !== null && answer.isIncomplete !== true) {
            client.notify('textDocument/didClose', { textDocument: { uri } });
            return answer;
        }
    }
}

const labels = ({ items }: { readonly items: readonly { readonly label: string }[] }): string[] => items.map(({ label }) => label);

test('tables of a SQLite file are completed and explained, in a trusted workspace alone', async () => {
    client = await LanguageClient.start({ trusted: true });
    await sqliteScript(
        join(client.folder, 'shop.db'),
        'CREATE TABLE orders (id INTEGER, total REAL); CREATE VIEW dear AS SELECT id FROM orders;',
    );
    expect(labels(await asked('completion', '@bind("o", "sqlite", "shop.db", "|").'))).toEqual(['dear', 'orders']);
    expect(labels(await asked('completion', '@qbind("o", "sqlite", "shop.db", "SELECT | FROM orders").')).slice(0, 2)).toEqual([
        'id',
        'total',
    ]);
    expect((await asked('hover', '@bind("o", "sqlite", "shop.db", "or|ders").')).contents.value).toContain('id: long\n  total: double');
    await client.stop();
    client = await LanguageClient.start({ trusted: false });
    await sqliteScript(join(client.folder, 'shop.db'), 'CREATE TABLE orders (id INTEGER);');
    expect(labels(await asked('completion', '@bind("o", "sqlite", "shop.db", "|").'))).toEqual([]);
});

test('sheets of a workbook are completed in its address', async () => {
    client = await LanguageClient.start({ trusted: true });
    fs.writeFileSync(join(client.folder, 'book.xlsx'), workbookOf({ Sales: [['id'], [1]], "Year's end": [['x']] }));
    const { items } = await asked('completion', `@bind("o", "excel useHeaders=true, dataAddress='|'", "", "book.xlsx").`);
    expect(labels({ items })).toEqual(['Sales', "Year's end"]);
    expect(items[1].textEdit.newText).toBe("'Year''s end'!A1");
});
