import fs from 'node:fs';
import { expect, test } from 'vitest';
import { withCurrentTables } from '#language/editing/language-reference.ts';

test('the tables of the page about the language are current; else run npm run generate', () => {
    const page = fs.readFileSync(new URL('../../docs/language.md', import.meta.url), 'utf8');
    expect(withCurrentTables(page)).toBe(page);
});
