import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { CONNECTED_TYPES } from '#language/library/connected-sources.ts';
import { readProgram } from '#language/read-program.ts';
import { CONNECTORS } from '#server/browser/connector-table.ts';
import { PAGE_FORMATS } from '#server/browser/file-formats.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import { folderWith } from '../../cli/command-line.ts';
import { reportOf } from '../../support/describe-source.ts';

test('a page reads the formats that it has, and refuses all other types in words', async () => {
    const folder = folderWith({ 'data/rows': 'a\n' });
    const access = {
        grants: { ...NO_GRANTS, readRoots: [folder] },
        programFile: join(folder, 'p.rulelang'),
        currentFolder: folder,
        parameters: () => undefined,
    };
    const reports = CONNECTED_TYPES.map(async type => {
        const [bind] = analyse(readProgram(`@bind("p", "${type}", "data", "rows").`, 'p.rulelang').value).binds;
        if (bind === undefined) expect.fail('There is no bind');
        return [type, await reportOf(() => CONNECTORS[type].columns(bind, access, 0))] as const;
    });
    const refused = (await Promise.all(reports)).flatMap(([type, report]) =>
        report?.message.includes(`a page in a browser reaches no source of type '${type}'`) ? [type] : [],
    );
    expect(refused).toEqual(['binary', 'sqlite', 'postgresql', 'mysql', 'mariadb']);
    expect(Object.keys(PAGE_FORMATS).sort()).toEqual(['csv', 'excel', 'json', 'parquet', 'text']);
});
