import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunRecord } from '#extension/runs/run-record.ts';
import { openDataDirectory } from '#server/store/data-directory.ts';
import { openStore } from '#server/store/store.ts';
import type { VsCode } from './harness.ts';

/** A workspace as large as one may become. */
export const SCALE = { concepts: 2000, databases: 500, tables: 200, runs: 10_000, predicates: 4000 } as const;

const DAY = 86_400_000;

/** An exported project of so many concepts, each of which reads the one before it. */
export function largeProject(name: string, count: number): string {
    const concepts = Array.from({ length: count }, (_, i) => ({
        concept_name: conceptName(i),
        concept_type: 'logic',
        definition:
            i === 0
                ? `${conceptName(0)}("a", 1). ${conceptName(0)}("b", 2).`
                : `${conceptName(i)}(X, N) <- ${conceptName(i - 1)}(X, N), N > 0.`,
    }));
    const head = { format: 'rulelang-project', version: 1, project: { name, description: '', metadata: {} } };
    return JSON.stringify({ ...head, concepts, dashboards: [] });
}

function conceptName(at: number): string {
    return `exposure_${String(at).padStart(4, '0')}`;
}

/** Keeps the tables of databases in a data directory of which no services run, as if each had been connected. */
export async function keepSources(folder: string, databases: number, tables: number): Promise<void> {
    const store = await openStore(openDataDirectory(folder));
    const columns = JSON.stringify(['id', 'customer', 'total', 'made'].map(name => ({ name, type: 'STRING' })));
    await store.run(
        `INSERT INTO sources SELECT uuid()::VARCHAR, 'user', 'table_' || lpad(t::VARCHAR, 3, '0'), 'table', 1000, 'postgresql',
             'db.example.com', 5432, 'store_' || lpad(d::VARCHAR, 3, '0'), 'public', $1, '@bind("table_' || t || '", "postgresql").',
             '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
         FROM range(${databases}) AS of_databases(d), range(${tables}) AS of_tables(t)`,
        [columns],
    );
    await store.run("INSERT INTO source_credentials SELECT id, 'ada', '', '{}' FROM sources");
    await store.close();
}

/** The journal of the runs of a window's workspace. */
export function journalOf({ storage }: Pick<VsCode, 'storage'>): string {
    const folder = join(storage, '../../workspaceStorage');
    const own = readdirSync(folder).map(name => join(folder, name));
    return join(own.find(name => existsSync(join(name, 'rulelang.rulelang'))) ?? own[0] ?? '', 'rulelang.rulelang/runs/runs.ndjson');
}

/** Writes the journal of runs of a workspace: of ten programs, over a month. */
export function writeRuns(file: string, workspace: string, count: number): void {
    const now = Date.now();
    const lines = Array.from({ length: count }, (_, i): string => {
        const record: RunRecord = {
            id: i.toString(16).padStart(16, '0'),
            uri: `file://${workspace}/program_${i % 10}.rulelang`,
            at: now - (i * 30 * DAY) / count,
            milliseconds: 20 + (i % 900),
            state: i % 50 === 7 ? 'failed' : 'done',
            outputs: [{ key: `out_${i % 3}/2`, rows: i }],
            total: i,
            parameters: [{ name: 'majority', text: String(i), given: true }],
            given: { majority: i },
            digest: 'd',
            ...(i % 50 === 7 && { message: 'The run stopped.' }),
        };
        return `${JSON.stringify(record)}\n`;
    });
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, lines.join(''), { mode: 0o600 });
}

/** Predicates over one, in layers of forty, some of which leave out what another holds of. */
export function largeProgram(count: number): string {
    const rules = Array.from({ length: count }, (_, i) => {
        const needed = i < 40 ? 'base' : `p${i - 40}`;
        return `p${i}(X, Y) <- ${needed}(X, Y)${i % 7 === 0 ? ', not banned(X)' : ''}.`;
    });
    return `@output("p${count - 1}").\nbase(1, 2).\nbanned(3).\n${rules.join('\n')}\n`;
}
