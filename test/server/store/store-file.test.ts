import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataDirectory, openDataDirectory } from '#server/store/data-directory.ts';
import { openDatabase } from '#server/store/database.ts';
import { RECORD_TABLES } from '#server/store/migrations/record-tables.ts';
import { STORE_VERSION } from '#server/store/migrations.ts';
import { openStore } from '#server/store/store.ts';

let data: DataDirectory;
let folder: string;
let file: string;

beforeEach(() => {
    data = openDataDirectory(join(fs.mkdtempSync(join(tmpdir(), 'rulelang-store-')), 'data'));
    folder = data.folder('store');
    file = join(folder, 'rulelang.duckdb');
});
afterEach(() => fs.rmSync(data.path, { recursive: true }));

const PROJECT = "INSERT INTO projects VALUES ('p', 'user', 'One', '', '{}', 'ada', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')";

/** What every file of the store holds, by name. */
function contents(): Record<string, string> {
    const hash = (name: string): string =>
        createHash('sha256')
            .update(fs.readFileSync(join(folder, name)))
            .digest('hex');
    return Object.fromEntries(fs.readdirSync(folder).map(name => [name, hash(name)]));
}

async function filled(): Promise<void> {
    const store = await openStore(data);
    await store.run(PROJECT);
    await store.close();
}

/** A store whose process was killed: with a write-ahead log. */
async function killed(): Promise<void> {
    const store = await openStore(data);
    await store.run(PROJECT);
    await store.run('UPDATE projects SET name = $1', ['Two']);
    const copies = fs.readdirSync(folder).map(name => [name, fs.readFileSync(join(folder, name))] as const);
    await store.close();
    for (const [name, bytes] of copies) fs.writeFileSync(join(folder, name), bytes);
    expect(copies.map(([name]) => name)).toEqual(['rulelang.duckdb', 'rulelang.duckdb.committed', 'rulelang.duckdb.wal']);
}

async function projectNames(): Promise<unknown> {
    const store = await openStore(data);
    const rows = await store.query<{ name: string }>('SELECT name FROM projects');
    await store.close();
    return rows.map(({ name }) => name);
}

describe('a store that is refused stays as it is', () => {
    test('one of a newer version', async () => {
        const store = await openStore(data);
        await store.run('INSERT INTO store_versions VALUES ($1, $2)', [STORE_VERSION + 1, 'then']);
        await store.close();
        const before = contents();
        await expect(openStore(data)).rejects.toThrow(
            `was written by a newer rulelang (store version ${STORE_VERSION + 1}, this one reads ${STORE_VERSION})`,
        );
        expect(contents()).toEqual(before);
    });

    test('one of another program', async () => {
        const database = await openDatabase(file, { temporary: join(folder, 't'), readOnly: false });
        const connection = await database.connect();
        await connection.run('CREATE TABLE t AS SELECT 1 AS x');
        connection.close();
        database.close();
        const before = contents();
        await expect(openStore(data)).rejects.toThrow('cannot be read');
        expect(contents()).toEqual(before);
    });

    const damages: readonly (readonly [string, () => void])[] = [
        ['nothing left', () => fs.truncateSync(file, 0)],
        ['its header alone', () => fs.truncateSync(file, 4096)],
        ['half of it', () => fs.truncateSync(file, fs.statSync(file).size / 2)],
        ['other bytes', () => fs.writeFileSync(file, 'x'.repeat(100_000))],
        ['a bit of the header changed', () => flip(file, 5000)],
        ['a bit of its log changed', () => flip(`${file}.wal`, 200)],
        ['a log alone', () => fs.rmSync(file)],
    ];
    test.each(damages)('%s', async (_, damage) => {
        await killed();
        damage();
        const before = contents();
        await expect(openStore(data)).rejects.toThrow(/cannot be read: .+ It is left as it is/su);
        expect(contents()).toEqual(before);
    });
});

test('damage is found, or takes nothing away', async () => {
    const store = await openStore(data);
    for (let i = 0; i < 40; i++) {
        const text = createHash('sha512').update(String(i)).digest('hex').repeat(50);
        await store.run('INSERT INTO projects VALUES ($1, $2, $3, $4, $5, $6, $7, $7)', [`p${i}`, 'user', 'n', text, '{}', 'ada', 'then']);
    }
    const sql = 'SELECT * FROM projects ORDER BY id';
    const rows = await store.query(sql);
    await store.close();
    const whole = fs.readFileSync(file);
    const size = whole.length;
    let found = 0;
    for (let i = 0; i < 40; i++) {
        const at = Math.floor((size * i) / 40) + ((i * 7919) % 97);
        if (i % 2 === 0) fs.truncateSync(file, at);
        else flip(file, at);
        const before = contents();
        const opened = await openStore(data).catch(error => {
            expect(error).toMatchObject({ message: expect.stringContaining('cannot be read') });
            expect(contents()).toEqual(before);
            found++;
        });
        if (opened !== undefined) {
            expect(await opened.query(sql)).toEqual(rows);
            await opened.close();
        }
        fs.writeFileSync(file, whole);
    }
    expect(found).toBeGreaterThan(10);
});

function flip(path: string, offset: number): void {
    const bytes = fs.readFileSync(path);
    bytes[offset] = (bytes[offset] ?? 0) ^ 16;
    fs.writeFileSync(path, bytes);
}

test('a log is read again after a kill', async () => {
    await killed();
    expect(await projectNames()).toEqual(['Two']);
    expect(fs.existsSync(`${file}.wal`)).toBe(false);
});

test('a log that was torn in a commit nobody was told of opens without a word', async () => {
    const store = await openStore(data);
    await store.run(PROJECT);
    const mark = fs.readFileSync(`${file}.committed`);
    await store.run('UPDATE projects SET name = $1', ['Two']);
    const log = fs.readFileSync(`${file}.wal`);
    const whole = fs.readFileSync(file);
    await store.close();
    fs.writeFileSync(file, whole);
    fs.writeFileSync(`${file}.wal`, log.subarray(0, log.length - 5));
    fs.writeFileSync(`${file}.committed`, mark);
    expect(await projectNames()).toEqual(['One']);
});

describe('a store that lost what was acknowledged', () => {
    const empty = (): void => fs.truncateSync(`${file}.wal`, 0);
    const losses: readonly (readonly [string, () => void, string])[] = [
        [
            'its log cut',
            () => fs.truncateSync(`${file}.wal`, fs.statSync(`${file}.wal`).size - 5),
            'its last commit is number 1, and number 2 was',
        ],
        ['its log emptied', empty, 'its last commit is number 0, and number 2 was'],
        ['its log gone', () => fs.rmSync(`${file}.wal`), 'its last commit is number 0, and number 2 was'],
        [
            'itself and its log gone',
            () => [file, `${file}.wal`].forEach(name => void fs.rmSync(name)),
            '2 commits were acknowledged, and the store is gone',
        ],
        ['a damaged number', () => fs.writeFileSync(`${file}.committed`, 'x'), 'cannot be read'],
        [
            'another store in its place',
            () => fs.writeFileSync(`${file}.committed`, `${randomUUID()} 0000000000000001\n`),
            'it is another store',
        ],
    ];
    test.each(losses)('%s: it is refused, and opens once the loss is accepted, with its files kept', async (_, lose, words) => {
        await killed();
        lose();
        const before = contents();
        await expect(openStore(data)).rejects.toThrow(words);
        await expect(openStore(data)).rejects.toThrow('--accept-loss');
        expect(contents()).toEqual(before);
        await (await openStore(data, { acceptLoss: true })).close();
        const after = contents();
        const kept = Object.keys(after).filter(name => name.includes('.lost-'));
        const original = (name: string): string => name.replace(/\.lost-[^.]+\.\d+Z/u, '');
        expect(Object.fromEntries(kept.map(name => [original(name), after[name]]))).toEqual(before);
        for (const name of kept) expect(fs.statSync(join(folder, name)).mode & 0o777).toBe(0o600);
        await filled();
        await (await openStore(data)).close();
    });

    test('every prefix of a log opens with what was acknowledged, or is refused', async () => {
        await killed();
        const [log, whole, mark] = [`${file}.wal`, file, `${file}.committed`].map(name => fs.readFileSync(name)) as [
            Buffer,
            Buffer,
            Buffer,
        ];
        const steps = 25;
        for (let i = 0; i <= steps; i++) {
            const length = Math.floor((log.length * i) / steps);
            fs.writeFileSync(file, whole);
            fs.writeFileSync(`${file}.wal`, log.subarray(0, length));
            fs.writeFileSync(`${file}.committed`, mark);
            const opened = await openStore(data).catch((error: Error) => error.message);
            if (typeof opened === 'string') expect(opened).toMatch(/lost what was saved|cannot be read/u);
            else {
                expect(await opened.query('SELECT name FROM projects')).toEqual([{ name: 'Two' }]);
                await opened.close();
            }
        }
    });
});

describe('a folder that goes away while the store is open', () => {
    const changes: readonly (readonly [string, () => void])[] = [
        ['removed', () => fs.rmSync(data.path, { recursive: true })],
        ['moved', () => fs.renameSync(data.path, `${data.path}.moved`)],
        [
            'replaced',
            () => {
                fs.cpSync(data.path, `${data.path}.copy`, { recursive: true });
                fs.rmSync(data.path, { recursive: true });
                fs.renameSync(`${data.path}.copy`, data.path);
            },
        ],
    ];
    test.each(changes)('%s: nothing more is acknowledged', async (_, change) => {
        const store = await openStore(data);
        await store.run(PROJECT);
        change();
        await expect(store.run('UPDATE projects SET name = $1', ['Two'])).rejects.toThrow('removed or replaced');
        expect(() => data.write('configuration/user.json', '{}')).toThrow('removed or replaced');
        await store.close();
        fs.mkdirSync(data.path, { recursive: true });
    });
});

test('what a process left of a store that it was about to make is made anew', async () => {
    fs.writeFileSync(`${file}.new`, 'half');
    fs.writeFileSync(`${file}.new.wal`, 'half');
    await filled();
    expect(fs.readdirSync(folder)).toEqual(['rulelang.duckdb', 'rulelang.duckdb.committed']);
    expect(await projectNames()).toEqual(['One']);
});

test('an older store is copied, then brought up to date', async () => {
    const database = await openDatabase(file, { temporary: join(folder, 't'), readOnly: false });
    const connection = await database.connect();
    await connection.run('CREATE TABLE store_versions (version INTEGER NOT NULL, made_at VARCHAR NOT NULL)');
    await connection.run(`${RECORD_TABLES}; INSERT INTO store_versions VALUES (1, 'then'); ${PROJECT}`);
    connection.close();
    database.close();
    const { 'rulelang.duckdb': before } = contents();
    const store = await openStore(data);
    expect(await store.query('SELECT max(version) AS version FROM store_versions')).toEqual([{ version: STORE_VERSION }]);
    expect(await store.query('SELECT count(*) AS n FROM results')).toEqual([{ n: 0 }]);
    await store.close();
    expect(await projectNames()).toEqual(['One']);
    expect(contents()['rulelang.duckdb.v1']).toBe(before);
    expect(fs.statSync(`${file}.v1`).mode & 0o777).toBe(0o600);
});
