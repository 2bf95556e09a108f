import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { conceptRecord } from '#server/projects/concept-record.ts';
import { dashboardIn, listDashboards } from '#server/projects/dashboard.ts';
import { listProjects } from '#server/projects/list-projects.ts';
import { readPrograms } from '#server/projects/result-programs.ts';
import { conceptsOf, dependenciesAmong } from '#server/projects/saved-concept.ts';
import { JsonText } from '#server/protocol/json-text.ts';
import { openDataDirectory } from '#server/store/data-directory.ts';
import { STORE_VERSION } from '#server/store/migrations.ts';
import { programsOf, storedResults } from '#server/store/results.ts';
import { runsOf } from '#server/store/runs.ts';
import { openStore } from '#server/store/store.ts';

const STORES = fileURLToPath(new URL('../../stores/', import.meta.url));

test('there is a store of this version (node scripts/golden-store.mjs makes it)', () => {
    expect(fs.readdirSync(STORES)).toContain(`version-${STORE_VERSION}.duckdb.gz`);
});

test.each(fs.readdirSync(STORES))('everything in %s is read', async name => {
    const data = openDataDirectory(join(fs.mkdtempSync(join(tmpdir(), 'rulelang-golden-')), 'data'));
    fs.writeFileSync(join(data.folder('store'), 'rulelang.duckdb'), gunzipSync(fs.readFileSync(join(STORES, name))));
    const store = await openStore(data);
    const projects = await listProjects(store, ['user', 'organization']);
    expect(projects.map(({ id, scope, description, metadata, concept_count: n }) => [id, scope, description, metadata.value, n])).toEqual([
        ['cities', 'user', 'é', { k: [1, null] }, 3],
        ['shared', 'organization', '', {}, 0],
    ]);
    const concepts = await conceptsOf(store, 'user', 'cities');
    const results = await storedResults(
        store,
        concepts.map(({ id }) => id),
    );
    const dependenciesOf = dependenciesAmong(
        concepts.map(({ name }) => name),
        concepts.map(({ reading }) => reading),
    );
    const records = concepts.map(concept => conceptRecord(concept, dependenciesOf, results.get(concept.id), concept.reading.types));
    expect(records).toMatchObject([
        {
            concept_name: 'big',
            row_count: 1,
            is_populated: true,
            is_stale: false,
            params: [{ name: 'least', default: 1_000_000 }],
            columns: [
                { name: 'C', type: 'STRING' },
                { name: 'P', type: 'INT' },
            ],
            group: 'g',
            position: new JsonText('{"x":1}'),
            compute: { backend: 'local' },
        },
        { concept_name: 'names', concept_type: 'sql', dependencies: ['big'], is_populated: false },
        { concept_name: 'w', python_scripts: { f: 'def main(): return []' } },
    ]);
    // Runs, and what rows were made with, are kept since version 5.
    const keepsRuns = Number(/\d+/u.exec(name)?.[0]) >= 5;
    expect((await runsOf(store, 'user', 'cities', 10)).map(run => [run.conceptName, run.state])).toEqual(
        keepsRuns ? [['big', 'succeeded']] : [],
    );
    const [result] = results.values();
    const programs = result && (await programsOf(store, result));
    expect(programs && readPrograms(programs).steps.map(({ concept }) => concept)).toEqual(keepsRuns ? ['big'] : undefined);
    const [dashboard] = await listDashboards(store, 'user');
    const { definition } = await dashboardIn(store, { scope: 'user', projectId: 'cities' }, dashboard?.id ?? '');
    expect(definition).toBe('{"tiles":[{"z":1,"a":null}]}');
    await store.close();
    fs.rmSync(data.path, { recursive: true });
});
