import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileSource } from '#server/runs/file-source.ts';
import { type LoadedProgram, loadProgram } from '#server/runs/load-program.ts';
import type { ProgramFile } from '#server/workspace/program-index.ts';
import { folderWith } from '../../cli/command-line.ts';

function loaded(folder: string, text: string, known?: Map<string, ProgramFile>): Promise<LoadedProgram> {
    return loadProgram(
        fileSource(
            text,
            'main.rulelang',
            { currentFolder: folder, allowRead: [], allowWrite: [], allowNet: [], secrets: [] },
            new Map(),
            known,
        ),
    );
}

function moduleFiles({ program }: LoadedProgram): string[] {
    return (program.program.inclusion?.modules ?? []).map(({ file }) => file);
}

describe('modules', () => {
    test('are found without looking into hidden folders, those of packages, and links', async () => {
        const folder = folderWith({
            '.hidden/a.rulelang': '@module("m").',
            'node_modules/b/b.rulelang': '@module("m").',
            'real/c.rulelang': '@module("m").',
        });
        fs.symlinkSync(join(folder, 'real'), join(folder, 'linked'));
        fs.symlinkSync(join(folder, 'real/c.rulelang'), join(folder, 'link.rulelang'));
        expect(moduleFiles(await loaded(folder, '@include("m").'))).toEqual(['real/c.rulelang']);
        expect(moduleFiles(await loaded(folder, '@include("link").'))).toEqual(['link.rulelang']);
    });

    test('that paths of a forbidden form name are not looked at', async () => {
        const folder = folderWith({});
        for (const name of ['~/m', 'http://host/m', '//host/share/m', '../../../../../../etc/passwd', '/dev/zero']) {
            const [problem] = (await loaded(folder, `@include("${name}").`)).problems;
            expect([name, problem?.code]).toEqual([name, 'RL8010']);
            expect(problem?.remedy).toMatch(/is not read|is not granted/);
        }
        const [folderItself] = (await loaded(folderWith({ 'lib/x.rulelang': '' }), '@include("lib").')).problems;
        expect(folderItself?.remedy).toContain("there is no file 'lib'");
    });

    test('are read once for the programs of a job, and again when they are others', async () => {
        const folder = folderWith({ 'm.rulelang': 'p(1).' });
        const known = new Map<string, ProgramFile>();
        const first = await loaded(folder, '@include("m").', known);
        const again = await loaded(folder, '@include("m"). q(1).', known);
        const moduleOf = ({ program }: LoadedProgram) => program.program.inclusion?.modules[0];
        expect(moduleOf(again)).toBe(moduleOf(first));
        fs.writeFileSync(join(folder, 'm.rulelang'), 'p(1). p(2).');
        expect(moduleOf(await loaded(folder, '@include("m").', known))?.clauses).toHaveLength(2);
    });
});
