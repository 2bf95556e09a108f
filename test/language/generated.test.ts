import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Lexer } from 'chevrotain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRuleLangServices } from '#language/services.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COMMITTED = join(ROOT, 'language/generated');

describe('the generated parser', () => {
    let folder = '';

    beforeAll(() => {
        folder = mkdtempSync(join(tmpdir(), 'rulelang-generated-'));
        const config = JSON.parse(readFileSync(join(ROOT, 'langium-config.json'), 'utf8'));
        config.out = 'generated';
        config.languages[0].grammar = join(ROOT, 'language/rulelang.langium');
        writeFileSync(join(folder, 'langium-config.json'), JSON.stringify(config));
        const polyfill = join(ROOT, 'scripts/object-group-by.cjs');
        const generator = join(ROOT, 'node_modules/langium-cli/bin/langium.js');
        execFileSync(process.execPath, ['--require', polyfill, generator, 'generate', '--file', join(folder, 'langium-config.json')], {
            cwd: ROOT,
        });
    });

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test('is what the grammar gives', () => {
        const fresh = join(folder, 'generated');
        expect(readdirSync(COMMITTED).sort(), 'run `npm run generate`').toEqual(readdirSync(fresh).sort());
        for (const name of readdirSync(fresh)) {
            const same = readFileSync(join(COMMITTED, name), 'utf8') === readFileSync(join(fresh, name), 'utf8');
            expect(same, `language/generated/${name} is out of date: run \`npm run generate\``).toBe(true);
        }
    });

    test('has a lexer that chooses tokens by their first character', () => {
        const services = createRuleLangServices();
        const tokens = services.parser.TokenBuilder.buildTokens(services.Grammar);
        expect(
            () => new Lexer(tokens as ConstructorParameters<typeof Lexer>[0], { ensureOptimizations: true, skipValidations: true }),
        ).not.toThrow();
    });
});
