import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { checkSync } from 'recheck';
import { expect, test } from 'vitest';
import { FORMS } from '#language/syntax/foreign-forms.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDERS = ['language', 'engine', 'server', 'extension'];

interface Pattern {
    readonly source: string;
    readonly flags: string;
}

/** Whose texts are bounded in length, and which looks worse than it is for that. */
const BOUNDED = ['server/secrets/secret-shapes.ts', 'server/api/assistant.ts'];

/** A pattern that may match a text in many ways is tried with texts that have all of them, for so many milliseconds. */
const LIMITS = { timeout: 1000, incubationTimeout: 300, attackTimeout: 300 };
/** A fuzzer with little time takes some squares for more: what it finds is looked at again. */
const PATIENT = { timeout: 20_000, incubationTimeout: 5000, attackTimeout: 5000 };

/** What a search has found of each pattern, as it is written, once and for all; new ones are examined, and entered with `-u`. */
const VERDICTS = join(ROOT, 'test/regular-expressions.verdicts.json');
const UPDATE = 'npx vitest run --config vitest.all.config.ts test/regular-expressions.slow.ts -u';
/** What begins so takes too long. */
const SLOW = 'slow: ';

/** How long a pattern takes, by a search for texts that take long (recheck: automata, then a fuzzer). */
function verdictOn({ source, flags }: Pattern): string {
    const quick = complexityOf(source, flags, LIMITS);
    return quick.startsWith(SLOW) ? complexityOf(source, flags, PATIENT) : quick;
}

/** Repeats at most one thing, and that is one character: at each place where it may begin it can only go on for longer. */
function isPlain(source: string): boolean {
    const repeats = source.replaceAll(/\\[^1-9k]/gu, 'c').replaceAll(/\[[^\]]*\]/gu, 'c');
    return !/[{\\]|\)[*+]|[*+].*[*+]/su.test(repeats);
}

function complexityOf(source: string, flags: string, limits: typeof LIMITS): string {
    const found = checkSync(source, flags, limits);
    // What is not attacked in time is not known to be slow.
    if (found.status === 'unknown') return found.status;
    const { complexity } = found;
    const isSlow =
        found.status === 'vulnerable' && (complexity.type === 'exponential' || (complexity.type === 'polynomial' && complexity.degree > 2));
    return isSlow ? `${SLOW}${complexity.summary}` : complexity.summary;
}

test('no pattern takes more than the square of the length of a text', async () => {
    const kept: Readonly<Record<string, string>> = existsSync(VERDICTS) ? JSON.parse(readFileSync(VERDICTS, 'utf8')) : {};
    const places = new Map<string, readonly [place: string, Pattern]>();
    const note = (place: string, pattern: Pattern): void => {
        if (!isPlain(pattern.source)) places.set(`/${pattern.source}/${pattern.flags}`, [place, pattern]);
    };
    for (const folder of FOLDERS) {
        const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
            .map(file => join(folder, file))
            .filter(file => file.endsWith('.ts') && !BOUNDED.includes(file));
        expect(files.length).toBeGreaterThan(10);
        for (const file of files) for (const pattern of patternsOf(file)) note(file, pattern);
    }
    // Forms of other languages are made of parts.
    for (const { pattern } of FORMS) note('language/syntax/foreign-forms', pattern);
    const verdicts = new Map([...places].map(([written, [, pattern]]) => [written, kept[written] ?? verdictOn(pattern)]));
    const slow = [...verdicts].filter(([, verdict]) => verdict.startsWith(SLOW));
    expect(slow.map(([written, verdict]) => `${places.get(written)?.[0]}: ${written}: ${verdict}`)).toEqual([]);
    const entries = [...verdicts].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const text = `${JSON.stringify(Object.fromEntries(entries), undefined, 4)}\n`;
    await expect(text, `patterns came or went, and none is slow: ${UPDATE}`).toMatchFileSnapshot(VERDICTS);
});

/** The regular expressions that a file writes out. */
function patternsOf(file: string): Pattern[] {
    const found: Pattern[] = [];
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
