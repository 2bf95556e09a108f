import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { codeBlocks, edited } from './page.ts';
import { hasTerminal, runPage } from './run-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'samples/README.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.md'))
        .map(file => `docs/${file}`)
        .sort(),
];
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

describe.each(pages)('%s', page => {
    // The reference shows forms, not runs.
    test.runIf(hasTerminal && !page.startsWith('docs/reference/'))(
        'shows what its programs and commands do (npx vitest run test/docs --update rewrites it)',
        async () => {
            await expect(await runPage(textOf(page), page === 'README.md')).toMatchFileSnapshot(join(root, page));
        },
    );

    test('its links lead to files', () => {
        const targets = linksOf(page).filter(target => !existsSync(join(root, target)));
        expect(targets).toEqual([]);
    });
});

test('every page can be reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) for (const target of linksOf(page)) if (pages.includes(target)) reached.add(target);
    expect([...reached].sort()).toEqual([...pages].sort());
});

test('every dependency has its line, and only those', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json'));
    const rows = [...textOf('docs/dependencies.md').matchAll(/^\| (`.+`) \| /gmu)].map(([, names = '']) => names);
    const described = rows.flatMap(names => names.split(', ').map(name => name.replaceAll('`', '')));
    expect(described.sort()).toEqual([...Object.keys(dependencies), ...Object.keys(devDependencies)].sort());
});

test('blocks and edits are found in a page', () => {
    const markdown = 'Text\n\n```diff file=a.rulelang\n-p(1).\n+p(2).\n+p(3).\n```\n\n```sh\nnpm ci\n```\n';
    const [diff, shell] = codeBlocks(markdown);
    expect(shell?.lines).toEqual(['npm ci']);
    expect(diff?.attributes.get('file')).toBe('a.rulelang');
    expect(diff && edited('q(1).\np(1).\n', diff)).toBe('q(1).\np(2).\np(3).\n');
    expect(() => diff && edited('q(1).\n', diff)).toThrow('not found exactly once');
});

/** The files of the project that a page links to. */
function linksOf(page: string): string[] {
    const prose = textOf(page).replaceAll(/^```[\s\S]*?^```$/gmu, '');
    return [...prose.matchAll(/\]\((?!https?:)([^)#]+)/gu)].map(([, target = '']) => join(dirname(page), target));
}
