import fs from 'node:fs';
import { expect, test } from 'vitest';
import { withCurrentTables } from '#language/editing/language-reference.ts';

const folder = new URL('../../docs/language/', import.meta.url);

test.each(fs.readdirSync(folder))('the tables of the page %s are current; else run npm run generate', name => {
    const page = fs.readFileSync(new URL(name, folder), 'utf8');
    expect(withCurrentTables(page)).toBe(page);
});
