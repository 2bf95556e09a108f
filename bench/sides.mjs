import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GNU_TIME } from './measure.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * The programs that are compared. `command` gives what runs a workload in the folder of its files, `rows` how many rows it
 * found by what it printed. `prepare` is not measured. A side whose `needs` is not on the PATH is left out.
 */
const SIDES = {
    rulelang: {
        label: 'rulelang',
        command: work => ownCommand(work, 1),
        prepare: ({ program }, folder) =>
            writeFileSync(join(folder, `${program}.rulelang`), readFileSync(join(here, `programs/${program}.rulelang`))),
        rows: printed => sum(printed.matchAll(/0 of ([\d,]+) rows?\b/g)),
    },
    duckdb: {
        label: 'DuckDB',
        command: (work, folder) => duckDbCommand(work, folder, 1),
        rows: printed => sum(printed.matchAll(/^count=(\d+)$/gm)),
    },
    node: { label: 'empty Node', command: () => node('-e', '') },
    sqlite: {
        label: 'SQLite',
        needs: 'sqlite3',
        command: ({ program }) => ({
            file: 'sqlite3',
            args: ['-batch', '-init', join(here, `peers/sqlite/${program}.sql`), ':memory:', ''],
        }),
        rows: printed => sum(printed.matchAll(/^"?count=(\d+)"?\r?$/gm)),
    },
    clingo: {
        label: 'clingo',
        needs: 'clingo',
        command: ({ program }) => ({
            file: 'clingo',
            args: ['-q', '--stats', join(here, `peers/clingo/${program}.lp`), 'facts.lp'],
            // Ten says that there is an answer and no other.
            succeeds: [30],
        }),
        prepare: (_, folder) => writeFacts(folder),
        // All ground rules are facts: the files, and what was derived.
        rows: (printed, folder) => sum(printed.matchAll(/^Rules\s+: (\d+)/gm)) - inputRows(folder),
    },
    swipl: {
        label: 'SWI-Prolog',
        needs: 'swipl',
        command: ({ program }) => ({
            file: 'swipl',
            args: ['--table-space=8g', '--stack-limit=8g', '-q', '-g', 'main', '-t', 'halt', join(here, `peers/swipl/${program}.pl`)],
        }),
        prepare: (_, folder) => writeFacts(folder),
        rows: printed => sum(printed.matchAll(/^count=(\d+)$/gm)),
    },
    souffle: {
        label: 'Soufflé',
        needs: 'souffle',
        command: () => ({ file: './compiled', args: ['-F', '.', '-D', '.', '-j', '1'] }),
        prepare: ({ program }, folder) =>
            execFileSync('souffle', ['-o', join(folder, 'compiled'), join(here, `peers/souffle/${program}.dl`)], { stdio: 'inherit' }),
        rows: printed => sum(printed.matchAll(/^\w+\t(\d+)$/gm)),
    },
};

function ownCommand({ program }, threads) {
    return node(join(here, '../dist/cli.js'), 'run', `${program}.rulelang`, '--unordered', '--limit', '0', '--threads', `${threads}`);
}

function duckDbCommand({ program }, folder, threads) {
    return node(join(here, 'peers/duckdb.mjs'), program, folder, `${threads}`);
}

/** The name of a side with so many threads. */
export const withThreads = (name, threads) => `${name}-${threads}`;

/** The sides that can have several threads, with so many. */
export function sidesWith(threads) {
    const { rulelang, duckdb } = SIDES;
    return {
        [withThreads('rulelang', threads)]: {
            ...rulelang,
            label: `rulelang, ${threads} threads`,
            command: work => ownCommand(work, threads),
        },
        [withThreads('duckdb', threads)]: {
            ...duckdb,
            label: `DuckDB, ${threads} threads`,
            command: (work, folder) => duckDbCommand(work, folder, threads),
        },
    };
}

/** All peers, by the names that `--peers` takes. */
export const PEERS = Object.keys(SIDES).filter(name => name !== 'rulelang');

/** The sides that can run here, and of the others what they lack. */
export function sidesHere(path = process.env.PATH ?? '', gnuTime = GNU_TIME) {
    const isThere = program => path.split(':').some(folder => existsSync(join(folder, program)));
    const lacking = ({ needs }) => {
        if (needs === undefined) return [];
        return [...(isThere(needs) ? [] : [`'${needs}' on the PATH`]), ...(existsSync(gnuTime) ? [] : [`GNU time as ${gnuTime}`])];
    };
    const entries = Object.entries(SIDES).map(([name, side]) => ({ name, side, lacks: lacking(side) }));
    return {
        sides: Object.fromEntries(entries.filter(({ lacks }) => lacks.length === 0).map(({ name, side }) => [name, side])),
        absent: entries.filter(({ lacks }) => lacks.length > 0).map(({ name, side: { label }, lacks }) => ({ name, label, lacks })),
    };
}

/** How many rows a side found: by the file that a workload asks for, which is gone afterwards, or by what it printed. */
export function rowsFound(side, { written }, printed, folder) {
    if (written === undefined) return side.rows?.(printed, folder);
    const count = lines(folder, written).length;
    rmSync(join(folder, written));
    return count;
}

function node(...args) {
    return { file: process.execPath, args };
}

/** The files of a folder as facts that clingo and Prolog read; names are quoted. */
function writeFacts(folder) {
    const facts = csvFiles(folder).map(file => {
        const rows = lines(folder, file).map(line => line.split(',').map(cell => (/^-?\d+$/.test(cell) ? cell : `"${cell}"`)));
        return rows.map(row => `${file.slice(0, -'.csv'.length)}(${row.join(',')}).\n`).join('');
    });
    writeFileSync(join(folder, 'facts.lp'), facts.join(''));
}

/** How many rows the files of a workload have. */
export function inputRows(folder) {
    return csvFiles(folder).reduce((count, file) => count + lines(folder, file).length, 0);
}

function csvFiles(folder) {
    return readdirSync(folder).filter(file => file.endsWith('.csv'));
}

function lines(folder, file) {
    return readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1);
}

function sum(matches) {
    return [...matches].reduce((total, [, number]) => total + Number(number.replaceAll(',', '')), 0);
}
