import fs from 'node:fs';
import { join } from 'node:path';
import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import manifest from '#extension/manifest.json' with { type: 'json' };
import { PROBLEMS } from '#language/problems/catalogue.ts';
import { folderWith, listing } from './command-line.ts';
import { rulelang } from './in-process.ts';

const GOOD = '@output("q").\ne(1, 2).\nq(X) <- e(X, _).\n';
const HINT = GOOD.replace('_)', 'Y)');
const WARNING = '@output("q").\ne(1).\nf(2).\nq(X, Y) <- e(X), f(Y).\n';
const ERROR = '@output("q").\ne(1).\nq(X) <- e(X), Z > 1.\n';
/** A name that would end a command, an attribute, an element or a line, and an escape sequence. */
const HOSTILE = 'a"b<c>&\'%,:]]>\u001b[31m\u202e\u0007::error.rulelang';

async function checked(files: Readonly<Record<string, string>>, ...args: string[]): ReturnType<typeof rulelang> {
    return rulelang(folderWith(files), ['check', ...args]);
}

describe('what is checked', () => {
    const files = {
        'a.rulelang': HINT,
        'rules/b.rulelang': ERROR,
        'rules/deep/c.rulelang': GOOD,
        'rules/notes.txt': '',
        '.git/d.rulelang': ERROR,
        'node_modules/x/e.rulelang': ERROR,
    };
    const named = async (...paths: string[]): Promise<string[]> => {
        const { stdout } = await checked(files, ...paths, '--format', 'junit');
        return [...stdout.matchAll(/<testsuite name="([^"]*)"/gu)].map(([, name = '']) => name);
    };

    test('the current folder without paths', async () => {
        expect(await named()).toEqual(['a.rulelang', 'rules/b.rulelang', 'rules/deep/c.rulelang']);
    });

    test('folders, files and patterns, each file once', async () => {
        expect(await named('rules', 'rules/b.rulelang', 'a.rulelang')).toEqual(['rules/b.rulelang', 'rules/deep/c.rulelang', 'a.rulelang']);
        expect(await named('**/{a,c}.rulelang')).toEqual(['a.rulelang', 'rules/deep/c.rulelang']);
        expect(await named('rules/*.rulelang')).toEqual(['rules/b.rulelang']);
        expect(await named('rules/?.rule*')).toEqual(['rules/b.rulelang']);
    });

    test('a file with the name of a pattern', async () => {
        const { stdout } = await checked({ 'a*.rulelang': GOOD, 'ab.rulelang': ERROR }, 'a*.rulelang', '--format', 'junit');
        expect(stdout).toContain('<testsuite name="a*.rulelang"');
        expect(stdout).not.toContain('ab.rulelang');
    });

    test('nothing is found', async () => {
        const { code, stdout } = await checked({ 'empty/notes.txt': '' }, 'empty', 'x/*.rulelang', '--format', 'compact');
        expect({ code, stdout }).toEqual({
            code: 1,
            stdout: "empty:1:1: error RT064: 'empty' holds no .rulelang files\nx/*.rulelang:1:1: error RT064: 'x/*.rulelang' does not exist\n",
        });
    });
});

describe('when it fails', () => {
    test.each([
        [HINT, [], 0],
        [HINT, ['--fail-level', 'hint'], 1],
        [WARNING, [], 0],
        [WARNING, ['--fail-level', 'warning'], 1],
        [WARNING, ['--max-warnings', '1'], 0],
        [WARNING, ['--max-warnings', '0'], 1],
        [ERROR, ['--fail-level', 'error'], 1],
    ])('%j %j: %i', async (text, args, code) => {
        expect((await checked({ 'p.rulelang': text }, 'p.rulelang', ...args)).code).toBe(code);
    });

    test('quiet tells only why', async () => {
        const files = { 'p.rulelang': `${WARNING}r(Z) <- e(X), Z > 1.\n` };
        expect((await checked(files, '--format', 'compact', '--quiet')).stdout.match(/ (?:error|warning) /gu)).toEqual([' error ']);
        expect(await checked({ 'p.rulelang': WARNING }, '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    });
});

describe('settings of a project', () => {
    const settings = (severity: object): string => JSON.stringify({ problems: { severity } });

    test('the nearest file counts', async () => {
        const files = {
            'rulelang.json': settings({ RL9002: 'off' }),
            'p.rulelang': WARNING,
            'sub/rulelang.json': settings({ RL9002: 'error' }),
            'sub/p.rulelang': WARNING,
        };
        const { code, stdout } = await checked(files, '--format', 'compact');
        expect(code).toBe(1);
        expect(stdout).toBe("sub/p.rulelang:4:18: error RL9002: No join condition between 'e' and 'f' (cartesian product)\n");
    });

    test('comments of a module count in its own file, and in the programs that include it', async () => {
        const rules = WARNING.replace('q(X', '% rulelang-ignore RL9002\nq(X').replace('@output("q").\n', '');
        const folder = folderWith({ 'rules.rulelang': rules, 'p.rulelang': '@include("rules").\n@output("r").\nr(X) <- q(X, _).\n' });
        expect((await rulelang(folder, ['check', 'p.rulelang', '--format', 'compact', '--hints'])).stdout).toBe('');
        expect((await rulelang(folder, ['run', 'p.rulelang'])).stderr).not.toContain('RL9002');
    });

    test('a run heeds what is left out, and runs whatever a project finds bad', async () => {
        const off = folderWith({ 'rulelang.json': settings({ RL9002: 'off' }), 'p.rulelang': WARNING });
        expect((await rulelang(off, ['run', 'p.rulelang'])).stderr).not.toContain('RL9002');
        const error = folderWith({ 'rulelang.json': settings({ RL9002: 'error' }), 'p.rulelang': WARNING });
        const { code, stderr } = await rulelang(error, ['run', 'p.rulelang']);
        expect(code).toBe(0);
        expect(stderr).toContain('warning RL9002');
    });

    test.each([
        ['{"problems": ', 'is not JSON'],
        ['{"problem": {}}', "There is no setting 'problem'; did you mean 'problems'?"],
        [settings({ RL2002: 'off' }), "'RL2002' is an error, which stops a run"],
    ])('%s ends it before anything is checked or fixed', async (text, message) => {
        const folder = folderWith({ 'rulelang.json': text, 'p.rulelang': HINT });
        const { code, stderr } = await rulelang(folder, ['check', '--fix']);
        expect(code).toBe(2);
        expect(stderr).toContain(message);
        expect(fs.readFileSync(join(folder, 'p.rulelang'), 'utf8')).toBe(HINT);
        const run = await rulelang(folder, ['run', 'p.rulelang']);
        expect(run.code).toBe(0);
        expect(run.stderr).toContain(message);
    });
});

describe('fix', () => {
    test('rewrites files, and says what it fixed', async () => {
        const folder = folderWith({ 'p.rulelang': `\ufeff${HINT}`, 'good.rulelang': GOOD });
        const { code, stderr } = await rulelang(folder, ['check', '--fix']);
        expect(code).toBe(0);
        expect(stderr).toBe('Fixed in p.rulelang: RL9001\nNo problems in 2 files\n');
        expect(fs.readFileSync(join(folder, 'p.rulelang'), 'utf8')).toBe(`\ufeff${HINT.replace('Y', '_Y')}`);
        expect(listing(folder)).toEqual(['good.rulelang', 'p.rulelang']);
    });

    test('standard input', async () => {
        const folder = folderWith({ 'sub/rulelang.json': '{"problems": {"severity": {"RL9001": "off"}}}' });
        const fixed = await rulelang(folder, ['check', '--stdin', '--fix'], HINT);
        expect(fixed).toMatchObject({ code: 0, stdout: HINT.replace('Y', '_Y') });
        const off = await rulelang(folder, ['check', '--stdin', '--stdin-filename', 'sub/p.rulelang', '--fix'], HINT);
        expect(off).toMatchObject({ code: 0, stdout: HINT });
        const json = await rulelang(folder, ['check', '--stdin', '--stdin-filename', 'x/p.rulelang', '--format', 'json'], HINT);
        expect(JSON.parse(json.stdout).diagnostics).toMatchObject([{ file: 'x/p.rulelang', code: 'RL9001' }]);
    });

    test.each([
        [['--stdin', 'p.rulelang'], 'stands instead of paths'],
        [['--stdin', '--fix', '--format', 'json'], 'standard output'],
        [['--stdin-filename', 'p.rulelang'], 'goes with --stdin'],
        [['--fail-level', 'bad'], 'choose error, warning, information, hint'],
        [['--max-warnings', '-1'], 'whole number'],
    ])('%j is refused', async (args, message) => {
        const { code, stderr } = await checked({}, ...args);
        expect(code).toBe(2);
        expect(stderr).toContain(message);
    });
});

const FORMATS = ['pretty', 'compact', 'json', 'sarif', 'junit', 'github'] as const;
const examples = Object.fromEntries(Object.entries(PROBLEMS).map(([code, { example }]) => [`${code}.rulelang`, example]));

test.each(FORMATS)('%s lets no character of a name or text act', async format => {
    const text = `@output("q\u001b]0;x\u0007").\ne("a\u202eb\u009b").\nq(X) <- e(X), "\u001b[2J" > Z, Y > "\r::error::x".\n`;
    const { stdout, stderr } = await checked({ [HOSTILE]: text, 'p.rulelang': text }, '--format', format, '--hints');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
    expect(`${stdout}${stderr}`).toContain('RL2002');
    if (format === 'github')
        for (const line of stdout.trimEnd().split('\n'))
            expect(line).toMatch(/^::(?:error|warning|notice) file=[^:,]+,line=\d+,endLine=\d+,(?:col=\d+,endColumn=\d+,)?title=RL\d+::./u);
});

test('compact: a line for each problem', async () => {
    const { stdout } = await checked({ 'a.rulelang': ERROR, 'b.rulelang': HINT }, '--format', 'compact', '--hints');
    expect(stdout.split('\n')).toEqual([
        expect.stringMatching(/^a\.rulelang:3:15: error RL2002: 'Z' is used here but never bound; /u),
        "b.rulelang:3:14: hint RL9001: 'Y' is used only once; prefix it with '_'",
        '',
    ]);
});

test('the problem matcher of the extension reads every line of it', async () => {
    const [matcher] = manifest.contributes.problemMatchers;
    const { stdout } = await checked({ 'folder with blanks/a:1.rulelang': ERROR, ...examples }, '--format', 'compact', '--hints');
    const lines = stdout.trimEnd().split('\n');
    const pattern = new RegExp(matcher?.pattern?.regexp ?? '', 'u');
    expect(lines.filter(line => !pattern.test(line))).toEqual([]);
    const found = lines.map(line => pattern.exec(line) ?? []).find(([, file]) => file?.startsWith('folder'));
    expect(found?.slice(1, 6)).toEqual(['folder with blanks/a:1.rulelang', '3', '15', 'error', 'RL2002']);
});

test('json says what it has always said', async () => {
    const { stdout } = await checked({ 'a.rulelang': HINT }, '--format', 'json');
    expect(JSON.parse(stdout)).toEqual({
        diagnostics: [
            {
                file: 'a.rulelang',
                range: { start: { line: 2, character: 13 }, end: { line: 2, character: 14 } },
                severity: 'hint',
                code: 'RL9001',
                message: "'Y' is used only once",
            },
        ],
    });
});

describe('sarif', () => {
    const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
    addFormats(ajv);
    const isValid = ajv.compile(schema);

    test('every problem there is gives a valid log', async () => {
        const { stdout } = await checked(
            { ...examples, 'folder ü/[x]%.rulelang': HINT, [HOSTILE]: ERROR },
            '.',
            '/absent.rulelang',
            '--format',
            'sarif',
            '--hints',
        );
        const log = JSON.parse(stdout);
        expect(isValid(log) ? [] : isValid.errors).toEqual([]);
        const [run] = log.runs;
        const codes = run.tool.driver.rules.map((rule: { id: string }) => rule.id);
        expect(codes).toEqual([...codes].sort());
        for (const result of run.results) expect(codes[result.ruleIndex]).toBe(result.ruleId);
        for (const rule of run.tool.driver.rules.filter(({ id }: { id: string }) => id.startsWith('RL')))
            expect(rule.help.markdown).toContain('```rulelang');
        expect(run.results.some((result: { relatedLocations?: unknown }) => result.relatedLocations !== undefined)).toBe(true);
        const uris = run.results.map(
            (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
                result.locations[0]?.physicalLocation.artifactLocation.uri,
        );
        expect(uris).toContain('folder%20%C3%BC/%5Bx%5D%25.rulelang');
        expect(uris).toContain('file:///absent.rulelang');
    });

    test('a fix, and where it goes', async () => {
        const { stdout } = await checked({ 'p.rulelang': HINT }, '--format', 'sarif', '--hints');
        const [result] = JSON.parse(stdout).runs[0].results;
        expect(result).toMatchObject({
            ruleId: 'RL9001',
            level: 'note',
            locations: [
                {
                    physicalLocation: {
                        artifactLocation: { uri: 'p.rulelang', uriBaseId: '%SRCROOT%' },
                        region: { startLine: 3, startColumn: 14, endLine: 3, endColumn: 15 },
                    },
                },
            ],
        });
        expect(result.fixes[0]).toEqual({
            description: { text: "Rename to '_Y'" },
            artifactChanges: [
                {
                    artifactLocation: { uri: 'p.rulelang', uriBaseId: '%SRCROOT%' },
                    replacements: [
                        { deletedRegion: { startLine: 3, startColumn: 14, endLine: 3, endColumn: 15 }, insertedContent: { text: '_Y' } },
                    ],
                },
            ],
        });
    });

    test('a problem is known again when it moves, and not taken for another', async () => {
        const prints = async (text: string): Promise<string[]> => {
            const { stdout } = await checked({ 'p.rulelang': text }, '--format', 'sarif', '--hints');
            return JSON.parse(stdout).runs[0].results.flatMap((result: { ruleId: string; partialFingerprints: Record<string, string> }) =>
                result.ruleId === 'RL9001' ? result.partialFingerprints['rulelangLine/v1'] : [],
            );
        };
        const before = await prints(`${HINT}q(X) <- e(X, Z).\n`);
        expect(new Set(before).size).toBe(2);
        expect(await prints(`\n% moved\n${HINT}  q(X) <-  e(X, Z).\n`)).toEqual(before);
        expect(new Set(await prints(`${GOOD}q(X) <- e(X, Y), e(X, Z).\nq(X) <- e(X, Y), e(X, Z).\n`)).size).toBe(4);
    });
});

describe('junit', () => {
    // What could break the XML stands in the two files beside them.
    const some = Object.fromEntries(Object.entries(examples).filter((_, i) => i % 10 === 0));

    test('well-formed, with the counts it says', async () => {
        const { stdout } = await checked(
            { ...some, [HOSTILE]: ERROR, 'p.rulelang': '@output("q").\nq("\u0000\ufffe<&>]]>\ud83d").' },
            '--format',
            'junit',
            '--hints',
        );
        const counts = new Map<string, number>();
        let said: Record<string, string> = {};
        const parser = new SaxesParser();
        parser.on('error', error => {
            throw error;
        });
        parser.on('opentag', ({ name, attributes }) => {
            counts.set(name, (counts.get(name) ?? 0) + 1);
            if (name === 'testsuites') said = attributes as Record<string, string>;
        });
        parser.write(stdout).close();
        expect({ tests: said.tests, failures: said.failures }).toEqual({
            tests: String(counts.get('testcase')),
            failures: String(counts.get('failure')),
        });
        expect(counts.get('testsuite')).toBe(Object.keys(some).length + 2);
    });
});
