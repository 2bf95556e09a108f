import { describe, expect, test } from 'vitest';
import {
    forbiddenForm,
    isInside,
    MACOS,
    type PathFlavour,
    POSIX,
    protectedTarget,
    segmentsBelow,
    WINDOWS,
} from '#server/files/path-rule.ts';

/** What a program may write in a bind, and whether it stays inside `/srv/app` or `C:\app` on either system. */
type Verdict = 'form' | 'outside' | 'inside';

const ROOTS = { posix: '/srv/app', windows: 'C:\\app' } as const;

function verdict(path: string, root: string, flavour: PathFlavour): Verdict {
    if (forbiddenForm(path, flavour) !== undefined) return 'form';
    return isInside(root, flavour.resolve(root, path), flavour) ? 'inside' : 'outside';
}

const CORPUS: readonly (readonly [path: string, posix: Verdict, windows: Verdict])[] = [
    // Ordinary names.
    ...[
        'data.csv',
        'a/b/c.csv',
        './data.csv',
        'a/../b.csv',
        'a//b.csv',
        'ümlaut.csv',
        '数据.csv',
        'with blank.csv',
        '.',
        '',
        'a/.',
        'x..y.csv',
    ].map(path => [path, 'inside', 'inside'] as const),
    ...[
        '...csv',
        '-rf',
        '$HOME.csv',
        '%TEMP%.csv',
        '`id`.csv',
        ';id.csv',
        '&id.csv',
        "o'clock.csv",
        'e\u0301.csv',
        '\u202ecsv.txt',
        '#.csv',
        '!x.csv',
    ].map(path => [path, 'inside', 'inside'] as const),
    // Climbing out.
    ...[
        '..',
        '../',
        '../x.csv',
        '../../etc/passwd',
        'a/../../x.csv',
        'a/b/../../../x.csv',
        './../x.csv',
        '../app2/x.csv',
        '../application',
        '../app.csv',
    ].map(path => [path, 'outside', 'outside'] as const),
    ...['../../../../../../../../x', 'a/./../../x', 'a/../..', '../app/../x', '../APP2/x.csv', '..//x.csv'].map(
        path => [path, 'outside', 'outside'] as const,
    ),
    ...['..\\x.csv', '..\\..\\windows\\win.ini', 'a\\..\\..\\x.csv', '.\\..\\x.csv', 'a/..\\..\\x'].map(
        path => [path, 'inside', 'outside'] as const,
    ),
    ['../app/x.csv', 'inside', 'inside'],
    ['../APP/x.csv', 'outside', 'inside'],
    ['..\\app\\x.csv', 'inside', 'inside'],
    // Absolute paths.
    ...[
        '/',
        '/etc/passwd',
        '/etc/../etc/shadow',
        '/dev/zero',
        '/dev/stdin',
        '/proc/self/environ',
        '/proc/self/mem',
        '/proc/1/root/etc/passwd',
        '/root/.ssh/id_rsa',
    ].map(path => [path, 'outside', 'outside'] as const),
    ...['/srv', '/srv/ap', '/srv/app2/x.csv', '/srv/app/../x.csv', '/srv/app-old/x.csv', '/SRV/app/x.csv', '/home/user/x.csv'].map(
        path => [path, 'outside', 'outside'] as const,
    ),
    ['/srv/app/x.csv', 'inside', 'outside'],
    ['/srv/app', 'inside', 'outside'],
    ['/srv//app/./x.csv', 'inside', 'outside'],
    ['\\windows\\win.ini', 'inside', 'outside'],
    ['\\', 'inside', 'outside'],
    ['C:\\app\\x.csv', 'inside', 'inside'],
    ['c:/APP/x.csv', 'inside', 'inside'],
    ['C:\\app2\\x.csv', 'inside', 'outside'],
    ['C:\\Windows\\win.ini', 'inside', 'outside'],
    ['D:\\x.csv', 'inside', 'outside'],
    ['C:/app/../x.csv', 'inside', 'outside'],
    ['C:x.csv', 'inside', 'form'],
    ['d:', 'inside', 'form'],
    ['C:..\\x.csv', 'inside', 'form'],
    // Dots and separators in unusual numbers and places.
    ...['....//x.csv', '.../x', 'a/...', 'x/../y/../z.csv', 'a/b/../../c', '.a/../b.csv', 'a/./././b'].map(
        path => [path, 'inside', path === '....//x.csv' || path === '.../x' || path === 'a/...' ? 'form' : 'inside'] as const,
    ),
    ...['a/../..//', 'a/b/../../..', './/..//x', '.a/../../b', '../..', '../.', 'x/../../y', '../%2e%2e/x'].map(
        path => [path, 'outside', 'outside'] as const,
    ),
    ...['%2e%2e/x', '..%2fx', '%00.csv', '\u002e\u002e/x.csv', '．．/x.csv', 'a∕..∕..∕x.csv'].map(
        path => [path, path === '\u002e\u002e/x.csv' ? 'outside' : 'inside', path === '\u002e\u002e/x.csv' ? 'outside' : 'inside'] as const,
    ),
    // NUL characters.
    ...['\0', 'data.csv\0', 'data\0.csv', '/etc/passwd\0.csv', 'a/\0/b', '\0/etc/passwd', '..\0/x', 'x.csv\0\n'].map(
        path => [path, 'form', 'form'] as const,
    ),
    // Shares and device names spaces.
    ...[
        '//server/share/x.csv',
        '\\\\server\\share\\x.csv',
        '\\\\?\\C:\\x',
        '\\\\.\\PhysicalDrive0',
        '\\\\.\\pipe\\x',
        '//?/C:/x',
        '//./NUL',
        '\\/server/share',
        '/\\server\\share',
    ].map(path => [path, 'form', 'form'] as const),
    ...[
        '\\\\127.0.0.1\\c$\\x',
        '\\\\server@80\\dav\\x',
        '\\\\server@SSL\\x',
        '\\\\?\\UNC\\server\\share',
        '\\\\localhost\\x',
        '//127.0.0.1/x',
        '\\??\\C:\\x'.replace('\\?', '\\\\?'),
    ].map(path => [path, 'form', 'form'] as const),
    // Home folders.
    ...['~', '~/x.csv', '~root/.ssh/id_rsa', '~\\x.csv', '~+/x', '~-', '~/../etc/passwd', '~x.csv'].map(
        path => [path, 'form', 'form'] as const,
    ),
    ['./~x.csv', 'inside', 'inside'],
    ['a/~/b.csv', 'inside', 'inside'],
    // Addresses.
    ...[
        'file:///etc/passwd',
        'file:/etc/passwd',
        'file:x.csv',
        'FILE://x',
        'http://example.org/x.csv',
        'https://example.org/x',
        'ftp://x/y',
        's3://bucket/x.csv',
        's3a://b/x',
    ].map(path => [path, 'form', 'form'] as const),
    ...[
        'hdfs://x/y',
        'gs://b/x',
        'abfss://c@a/x',
        'jdbc:sqlite:x',
        'data:text/csv,a',
        'javascript:1',
        'vscode-remote://x',
        'smb://server/share',
        'dav+https://x',
        'classpath:x',
    ].map(path => [path, 'form', 'form'] as const),
    // Devices of Windows, which are plain names elsewhere.
    ...[
        'NUL',
        'nul',
        'CON',
        'con.csv',
        'PRN',
        'AUX',
        'aux.txt',
        'COM1',
        'com9.csv',
        'LPT1',
        'lpt0.csv',
        'COM¹',
        'a/NUL',
        'a/nul.csv',
        'NUL .csv',
        'CONIN$',
        'CONOUT$',
        'nul.tar.gz',
    ].map(path => [path, 'inside', 'form'] as const),
    ...['console.csv', 'null.csv', 'com.csv', 'com10.csv', 'auxiliary.csv', 'prnt', 'lpt.csv'].map(
        path => [path, 'inside', 'inside'] as const,
    ),
    ['NUL:', 'form', 'form'],
    // Streams and characters that names cannot hold on Windows.
    ...['./x.csv:stream', 'a/x.csv:$DATA', './x.csv::$DATA', 'a/b:c/d.csv', '12:30.csv', './C:/x'].map(
        path => [path, 'inside', 'form'] as const,
    ),
    ['x.csv:stream', 'form', 'form'],
    ...['*.csv', 'data?.csv', 'a|b.csv', 'a<b.csv', 'a>b.csv', 'a"b.csv', 'a/*/b.csv', '?'].map(path => [path, 'inside', 'form'] as const),
    // Trailing dots and blanks, which Windows drops.
    ...['x.csv.', 'x.csv ', 'a./x.csv', 'a /x.csv', 'x.rulelang.', '.git./config', 'x...', ' '].map(
        path => [path, 'inside', 'form'] as const,
    ),
    ['.. /x.csv', 'inside', 'form'],
    ['... /x', 'inside', 'form'],
    ['PROGRA~1/x.csv', 'inside', 'inside'],
    ['[a].csv', 'inside', 'inside'],
    ['{a,b}.csv', 'inside', 'inside'],
];

describe('hostile paths', () => {
    test(`there are many: ${CORPUS.length}`, () => expect(CORPUS.length).toBeGreaterThanOrEqual(200));
    test.each(CORPUS)('%j', (path, posix, windows) => {
        expect(verdict(path, ROOTS.posix, POSIX)).toBe(posix);
        expect(verdict(path, ROOTS.windows, WINDOWS)).toBe(windows);
    });
});

describe('segments', () => {
    test('a root contains itself and what is below, by segment', () => {
        expect(isInside('/a/b', '/a/b', POSIX)).toBe(true);
        expect(isInside('/a/b', '/a/bc', POSIX)).toBe(false);
        expect(isInside('/', '/a', POSIX)).toBe(true);
        expect(isInside('/a/b/', '/a/b/c', POSIX)).toBe(true);
    });

    test('letter case counts on Linux only', () => {
        expect(isInside('/a/B', '/a/b/c', POSIX)).toBe(false);
        expect(isInside('/a/B', '/a/b/c', MACOS)).toBe(true);
        expect(isInside('C:\\A', 'c:\\a\\x', WINDOWS)).toBe(true);
        expect(isInside('/a/\u00e9', '/a/e\u0301/x', MACOS)).toBe(true);
    });

    test('segments below a root', () => {
        expect(segmentsBelow('/a', '/a/b/c.csv', POSIX)).toEqual(['b', 'c.csv']);
        expect(segmentsBelow('C:\\', 'C:\\b\\c', WINDOWS)).toEqual(['b', 'c']);
    });
});

describe('targets that no run writes', () => {
    test.each([
        'x.rulelang',
        'x.RuleLang',
        'a.code-workspace',
        '.env',
        '.vscode/settings.json',
        '.git/hooks/x.csv',
        'a/.hidden/x.csv',
        'node_modules/x/y.csv',
        'x.sh',
        'x.PS1',
        'x.js',
        'x.mjs',
        'x.ts',
        'x.py',
        'x.bat',
        'x.exe',
        'Makefile',
        'package.json',
        'Dockerfile',
        'authorized_keys',
        '',
    ])('%j', path => {
        expect(protectedTarget(path.split('/').filter(segment => segment !== ''))).toBeTypeOf('string');
    });

    test.each(['x.csv', 'a/b.json', 'rulelang.csv', 'x.rulelang.csv', 'sh', 'vscode/x.csv', 'x.txt'])('%j may be written', path => {
        expect(protectedTarget(path.split('/'))).toBeUndefined();
    });
});
