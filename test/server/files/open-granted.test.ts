import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunStopped } from '#engine/reports/reports.ts';
import { commandLineGrants, type Grants, NO_GRANTS } from '#server/files/grants.ts';
import { accessContext, openGranted, openNamed } from '#server/files/open-granted.ts';

let base: string;
let root: string;
let grants: Grants;

beforeAll(() => {
    base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rulelang-open-')));
    root = join(base, 'project');
    fs.mkdirSync(join(root, 'data'), { recursive: true });
    fs.writeFileSync(join(root, 'data', 'x.csv'), 'inside\n');
    fs.mkdirSync(join(base, 'other'));
    fs.writeFileSync(join(base, 'other', 'secret.csv'), 'secret\n');
    fs.writeFileSync(join(base, 'project-2.csv'), 'neighbour\n');
    grants = commandLineGrants({ program: root, current: root, allowRead: [], allowWrite: [] });
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

function read(...parts: string[]): string {
    const opened = openGranted({ base: root, parts }, accessContext(grants));
    try {
        const bytes = new Uint8Array(100);
        return new TextDecoder().decode(bytes.subarray(0, opened.read(bytes)));
    } finally {
        opened.close();
    }
}

function refusal(action: () => unknown): string {
    try {
        action();
    } catch (error) {
        if (error instanceof RunStopped) return `${error.report.code} ${error.report.message.replaceAll(base, '')}`;
        throw error;
    }
    return 'not refused';
}

describe('reading', () => {
    test('a file below the root, by any name for it', () => {
        for (const parts of [
            ['data', 'x.csv'],
            ['data/../data', './x.csv'],
            ['', 'data/x.csv'],
            [root, 'data/x.csv'],
        ])
            expect(read(...parts)).toBe('inside\n');
    });

    test('a link that stays inside', () => {
        fs.symlinkSync('x.csv', join(root, 'data', 'near.csv'));
        fs.symlinkSync(join(root, 'data'), join(root, 'folder'));
        expect(read('data', 'near.csv')).toBe('inside\n');
        expect(read('folder', 'x.csv')).toBe('inside\n');
    });

    test('outside: refused with the flag that would allow it', () => {
        expect(refusal(() => read('../other', 'secret.csv'))).toBe(
            "RT063 Access to '/other/secret.csv' is not granted: it lies outside the folders of this run; add --allow-read /other",
        );
        expect(refusal(() => read('..', 'project-2.csv'))).toContain('RT063');
        expect(refusal(() => read('/etc', 'passwd'))).toContain('add --allow-read /etc');
    });

    test('what lies outside is not even confirmed to exist', () => {
        const existing = refusal(() => read('../other', 'secret.csv'));
        expect(refusal(() => read('../other', 'absent.csv'))).toBe(existing.replace('secret', 'absent'));
    });

    test('links out of the root, through the file and through a folder', () => {
        fs.symlinkSync(join(base, 'other', 'secret.csv'), join(root, 'out.csv'));
        fs.symlinkSync(join(base, 'other'), join(root, 'out'));
        fs.symlinkSync('/etc/passwd', join(root, 'passwd.csv'));
        for (const path of ['out.csv', 'out/secret.csv', 'passwd.csv']) expect(refusal(() => read('', path))).toContain('RT063');
    });

    test('more roots, also through links', () => {
        fs.symlinkSync(join(base, 'other'), join(base, 'granted'));
        const more = commandLineGrants({ program: root, current: root, allowRead: [join(base, 'granted')], allowWrite: [] });
        openGranted({ base: root, parts: ['../other', 'secret.csv'] }, accessContext(more)).close();
        openGranted({ base: root, parts: ['../granted', 'secret.csv'] }, accessContext(more)).close();
    });

    test('nothing without grants', () => {
        expect(refusal(() => openGranted({ base: root, parts: ['data', 'x.csv'] }, accessContext(NO_GRANTS)))).toContain('RT063');
    });

    test('what is not a regular file is refused at once', () => {
        execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(root, 'pipe.csv')]);
        const everything = accessContext({ ...grants, readRoots: ['/'] });
        expect(refusal(() => read('', 'pipe.csv'))).toBe("RT064 '/project/pipe.csv' is not a regular file");
        expect(refusal(() => openGranted({ base: '/', parts: ['/dev/zero'] }, everything))).toBe("RT064 '/dev/zero' is not a regular file");
        expect(refusal(() => openGranted({ base: '/', parts: ['/dev/null'] }, everything))).toContain('not a regular file');
        expect(refusal(() => read('data'))).toBe("RT064 '/project/data' is a folder");
        expect(refusal(() => openNamed('/dev/zero'))).toContain('not a regular file');
    });

    test('missing files and loops of links', () => {
        fs.symlinkSync('loop.csv', join(root, 'loop.csv'));
        expect(refusal(() => read('data', 'y.csv'))).toBe("RT064 '/project/data/y.csv' does not exist");
        expect(refusal(() => read('data/x.csv', 'y.csv'))).toBe(
            "RT064 '/project/data/x.csv/y.csv' does not exist: a part of the path is not a folder",
        );
        expect(refusal(() => read('', 'loop.csv'))).toBe("RT064 '/project/loop.csv' leads through too many links");
    });

    test('a link that another thread exchanges all the time never leads out', async () => {
        const inside = join(root, 'swap-in');
        const link = join(root, 'swap');
        fs.mkdirSync(inside);
        fs.writeFileSync(join(inside, 'x.csv'), 'inside\n');
        fs.mkdirSync(join(base, 'swap-out'));
        fs.writeFileSync(join(base, 'swap-out', 'x.csv'), 'secret\n');
        fs.symlinkSync(inside, link);
        const worker = new Worker(
            `const fs = require('node:fs'); const { workerData: [link, a, b] } = require('node:worker_threads');
             for (let n = 0; ; n++) { fs.symlinkSync(n % 2 ? a : b, link + '.new'); fs.renameSync(link + '.new', link); }`,
            { eval: true, workerData: [link, inside, join(base, 'swap-out')] },
        );
        const seen = new Map<string, number>();
        for (let n = 0; n < 10_000; n++) {
            let found: string;
            try {
                found = read('swap', 'x.csv');
            } catch (error) {
                if (!(error instanceof RunStopped)) throw error;
                found = error.report.code;
            }
            seen.set(found, (seen.get(found) ?? 0) + 1);
        }
        await worker.terminate();
        expect(seen.has('secret\n')).toBe(false);
        expect(seen.get('inside\n') ?? 0).toBeGreaterThan(0);
        expect(seen.get('RT063') ?? 0).toBeGreaterThan(0);
    });
});
