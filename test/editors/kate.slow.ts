import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HIGHLIGHTER = 'kate-syntax-highlighter';

let folder: string;

/** What Kate colours texts with, from Debian, without its windows. */
beforeAll(() => {
    if (spawnSync(HIGHLIGHTER, ['--version']).error)
        throw new Error("Kate's highlighter is not installed: run scripts/install-test-tools.sh");
    folder = mkdtempSync(join(tmpdir(), 'rulelang-kate-'));
    const syntax = join(folder, 'org.kde.syntax-highlighting/syntax');
    mkdirSync(syntax, { recursive: true });
    cpSync(join(ROOT, 'syntaxes/kate.xml'), join(syntax, 'rulelang.xml'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The text as it is coloured: what stands in a colour of its own in brackets. */
function coloured(file: string): string {
    const html = execFileSync(HIGHLIGHTER, [file], {
        encoding: 'utf8',
        env: { ...process.env, XDG_DATA_HOME: folder, QT_QPA_PLATFORM: 'offscreen' },
    });
    expect(html).toContain('Definition (Rulelang)');
    const [, body = ''] = /<pre>\n([\s\S]*)<\/pre>/u.exec(html) ?? [];
    const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
    return body
        .replace(/<span[^>]*>/gu, '[')
        .replaceAll('</span>', ']')
        .replace(/&(?:lt|gt|quot|amp);/gu, entity => entities[entity] ?? '');
}

test('comments, annotations, texts, variables, words and numbers have colours', () => {
    const lines = coloured(join(ROOT, 'samples/control/control.rulelang')).split('\n');
    expect(lines[0]).toMatch(/^\[%% @concept control .*\]$/u);
    expect(lines).toContain('[@param](["majority"], [50]).');
    expect(lines).toContain('head([X]) [<-] controls([X], _), [not] controlled([X]).');
});

test('a text goes on behind an escaped quote, and the dot of a clause is no part of its number', () => {
    const file = join(folder, 'marks.rulelang');
    writeFileSync(file, 'p(X) <- q(X, "say \\"no\\" twice", 1.5), X > 3.\n');
    expect(coloured(file)).toContain('p([X]) [<-] q([X], ["say \\"no\\" twice"], [1.5]), [X] > [3].');
});

test('every sample keeps its text, and no text goes on beyond its end', () => {
    const programs = readdirSync(join(ROOT, 'samples'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.rulelang'));
    expect(programs.length).toBeGreaterThan(5);
    for (const name of programs) {
        const file = join(ROOT, 'samples', name);
        const text = readFileSync(file, 'utf8');
        const shown = coloured(file);
        expect(shown.replaceAll(/[[\]]/gu, '').trimEnd(), name).toBe(text.replaceAll(/[[\]]/gu, '').trimEnd());
        const comments = text.split('\n').filter(line => line.startsWith('%')).length;
        expect(shown.split('\n').filter(line => line.startsWith('[%')).length, name).toBe(comments);
    }
});
