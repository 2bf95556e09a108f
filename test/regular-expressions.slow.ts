import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { checkSync } from 'recheck';
import { expect, test } from 'vitest';
import { FORMS } from '#language/syntax/foreign-forms.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDERS = ['language', 'engine', 'server', 'extension'];

/** Whose texts are bounded in length, and which looks worse than it is for that. */
const BOUNDED = ['server/secrets/secret-shapes.ts', 'server/api/assistant.ts'];

/** A pattern that may match a text in many ways is tried with texts that have all of them, for so many milliseconds. */
const LIMITS = { timeout: 1000, incubationTimeout: 300, attackTimeout: 300 };
/** A fuzzer with little time takes some squares for more: what it finds is looked at again. */
const PATIENT = { timeout: 20_000, incubationTimeout: 5000, attackTimeout: 5000 };

const examined = new Map<string, string | undefined>();

/** What is worse than the square of a text's length, by a search for texts that take long (recheck: automata, then a fuzzer). */
function fault({ source, flags }: { readonly source: string; readonly flags: string }): string | undefined {
    if (isPlain(source)) return undefined;
    const written = `/${source}/${flags}`;
    if (!examined.has(written)) {
        const slow = slowness(source, flags, LIMITS) && slowness(source, flags, PATIENT);
        examined.set(written, slow && `${written}: ${slow}`);
    }
    return examined.get(written);
}

/** Repeats at most one thing, and that is one character: at each place where it may begin it can only go on for longer. */
function isPlain(source: string): boolean {
    const repeats = source.replaceAll(/\\[^1-9k]/gu, 'c').replaceAll(/\[[^\]]*\]/gu, 'c');
    return !/[{\\]|\)[*+]|[*+].*[*+]/su.test(repeats);
}

function slowness(source: string, flags: string, limits: typeof LIMITS): string | undefined {
    const found = checkSync(source, flags, limits);
    const complexity = found.status === 'vulnerable' ? found.complexity : undefined;
    const isSlow = complexity?.type === 'exponential' || (complexity?.type === 'polynomial' && complexity.degree > 2);
    return isSlow ? complexity.summary : undefined;
}

test.each(FOLDERS)('no pattern of %s takes more than the square of the length of a text', folder => {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .map(file => join(folder, file))
        .filter(file => file.endsWith('.ts') && !BOUNDED.includes(file));
    expect(files.length).toBeGreaterThan(10);
    const slow = files.flatMap(file => patternsOf(file).flatMap(pattern => fault(pattern)?.replace(/^/u, `${file}: `) ?? []));
    expect(slow).toEqual([]);
});

test('no form of another language does, those included that are made of parts', () => {
    expect(FORMS.flatMap(({ pattern }) => fault(pattern) ?? [])).toEqual([]);
});

/** The regular expressions that a file writes out. */
function patternsOf(file: string): { readonly source: string; readonly flags: string }[] {
    const found: { source: string; flags: string }[] = [];
    const visit = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return;
        if ('regex' in node) {
            const { pattern, flags } = node.regex as { readonly pattern: string; readonly flags: string };
            found.push({ source: pattern, flags });
        }
        for (const value of Object.values(node)) visit(value);
    };
    visit(parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program.body);
    return found;
}
