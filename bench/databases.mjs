// Compares reading and writing a million rows of PostgreSQL with `psql \copy`, in cpu seconds of client and server together:
// npm run bench:databases -- [--rounds 3] [--rows 1000000] [--no-build]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { table } from './compared.mjs';
import { mixedRows } from './inputs.mjs';
import { measure, medians } from './measure.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
    options: {
        rounds: { type: 'string', default: '3' },
        rows: { type: 'string', default: '1000000' },
        'no-build': { type: 'boolean', default: false },
    },
});
const rows = Number(values.rows);
if (!values['no-build']) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });

const folder = mkdtempSync(join(tmpdir(), 'rulelang-bench-'));
const { startPostgresql } = await imported('test/databases/start-server.ts');
const server = await startPostgresql();
try {
    server.execute(`CREATE ROLE bench LOGIN PASSWORD 'bench'; CREATE DATABASE bench OWNER bench;`);
    process.env.PGPASSWORD = 'bench';
    for (const [file, text] of Object.entries(mixedRows(rows, 61))) writeFileSync(join(folder, file), text);
    sql('CREATE TABLE rows (number int, name text, amount int, city text)', String.raw`\copy rows from 'rows.csv' csv`, 'ANALYZE rows');
    const bind = (predicate, name) =>
        `@bind("${predicate}", "postgresql host='127.0.0.1', port=${server.port}, username='bench', password='bench'", "bench", "${name}").`;
    writeFileSync(
        join(folder, 'load.rulelang'),
        `${bind('row', 'rows')}
total(City, Total, Last) <- row(Number, Name, Amount, City), Total = msum(Amount + Number), Last = mmax(Name).
@output("total").
`,
    );
    writeFileSync(
        join(folder, 'export.rulelang'),
        `@bind("row", "csv", "", "rows.csv").
@model("row", "['number:int', 'name:string', 'amount:int', 'city:string']").
written(Number, Name, Amount, City) <- row(Number, Name, Amount, City).
@output("written").
${bind('written', 'written')}
`,
    );
    const results = [
        await compared('load', String.raw`\copy rows to 'copied.csv' csv`),
        await compared('export', String.raw`\copy written from 'rows.csv' csv`, () =>
            sql(
                'SET client_min_messages = error',
                'DROP TABLE IF EXISTS written',
                'CREATE TABLE written (number int, name text, amount int, city text)',
            ),
        ),
    ];
    console.log(table(['work', 'program', 'cpu s', 'of it the server', 'wall s', 'peak MB', 'cpu ratio'], results.flat()).join('\n'));
} finally {
    server.stop();
    rmSync(folder, { recursive: true });
}

/** What both sides need, in turn. */
async function compared(work, copy, prepare) {
    const sides = {
        rulelang: {
            file: process.execPath,
            args: [
                join(root, 'dist/cli.js'),
                'run',
                `${work}.rulelang`,
                '--unordered',
                '--limit',
                '0',
                '--allow-net',
                `127.0.0.1:${server.port}`,
            ],
        },
        'psql \\copy': { file: '/usr/bin/psql', args: [...client(), '-c', copy] },
    };
    const taken = Object.fromEntries(Object.keys(sides).map(name => [name, []]));
    for (let round = 0; round < Number(values.rounds); round++) {
        for (const [name, command] of Object.entries(sides)) {
            prepare?.();
            const before = serverCpu();
            const measured = await measure(command, folder, 300);
            const ofServer = serverCpu() - before;
            taken[name].push({ ...measured, cpu: measured.cpu + ofServer, ofServer });
            const written = prepare === undefined ? rows : Number(sql('SELECT count(*) FROM written'));
            if (written !== rows) throw new Error(`${name} wrote ${written} rows\n${measured.printed}`);
        }
    }
    const figures = Object.entries(taken).map(([name, all]) => {
        const ofServer = all.map(one => one.ofServer).sort((a, b) => a - b)[all.length >> 1];
        return { name, ofServer, ...medians(all) };
    });
    const peer = figures.at(-1);
    return figures.map(({ name, cpu, ofServer, wall, peak }) => [
        work,
        name,
        ...[cpu, ofServer, wall].map(seconds => seconds.toFixed(2)),
        peak.toFixed(0),
        name === peer.name ? '' : (cpu / peer.cpu).toFixed(2),
    ]);
}

function client() {
    return ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'bench', '-d', 'bench', '-q', '-t', '-A', '-v', 'ON_ERROR_STOP=1'];
}

function sql(...commands) {
    const args = [...client(), ...commands.flatMap(command => ['-c', command])];
    return execFileSync('/usr/bin/psql', args, { cwd: folder, encoding: 'utf8' });
}

/** Cpu seconds of the server and of its processes, those that have ended included. */
function serverCpu() {
    const processes = readdirSync('/proc')
        .filter(name => /^\d+$/u.test(name))
        .map(statOf);
    const [parent, user, waited] = [1, 11, 13];
    const ticks = (fields, from, to) => fields.slice(from, to).reduce((total, value) => total + Number(value), 0);
    const working = processes.filter(fields => Number(fields[parent]) === server.pid);
    return working.reduce((total, fields) => total + ticks(fields, user, waited), ticks(statOf(server.pid), user, waited + 2)) / 100;
}

/** The fields behind the name of a process; none where it has ended. */
function statOf(pid) {
    try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) /u, '')
            .split(' ');
    } catch {
        return [];
    }
}

/** A module of the tests, which is TypeScript. */
async function imported(path) {
    const { outputFiles } = await build({ entryPoints: [join(root, path)], bundle: true, platform: 'node', format: 'esm', write: false });
    return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
