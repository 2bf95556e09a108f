import fs from 'node:fs';
import { expect, test } from 'vitest';
import { helpText } from '#server/problem-help/help-text.ts';
import { helpCodes, problemHelp } from '#server/problem-help/problem-help.ts';
import { problemPages } from '#server/problem-help/problem-reference.ts';

const folder = new URL('../../docs/problems/', import.meta.url);

test('the pages about problems are current; else run npm run generate', () => {
    const pages = problemPages();
    expect(fs.readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
    for (const [name, text] of pages) expect(fs.readFileSync(new URL(name, folder), 'utf8')).toBe(text);
});

test.each(helpCodes())('the help on %s fits a terminal and says why', code => {
    const help = problemHelp(code);
    expect(help?.why).toMatch(/^[\p{Lu}'@].*\.$/su);
    const text = help === undefined ? '' : helpText(help);
    const quoted = [help?.example, help?.fix?.after, ...(help?.files.map(([, content]) => content) ?? [])].join('\n');
    const long = text.split('\n').filter(line => line.length > 82 && !quoted.includes(line.trim()));
    expect(long).toEqual([]);
});

test('a code that does not exist has no help', () => {
    expect(problemHelp('RL4242')).toBeUndefined();
    expect(problemHelp('constructor')).toBeUndefined();
});
