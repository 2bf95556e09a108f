import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyseText, type LoadedProgram, type ModuleSources } from '#server/runs/load-program.ts';
import { folderWith } from '../../cli/command-line.ts';

function loaded(folder: string, text: string, modules: ModuleSources = {}): Promise<LoadedProgram> {
    return analyseText(text, 'main.rulelang', { currentFolder: folder, allowRead: [], allowWrite: [] }, new Map(), modules);
}

function moduleFiles({ program }: LoadedProgram): string[] {
    return (program.program.inclusion?.modules ?? []).map(({ file }) => file);
}

describe('modules', () => {
    test('of the host come before those in files', async () => {
        const folder = folderWith({ 'm.rulelang': '@module("m"). p("file").' });
        const otherPrograms = new Map([
            ['m', '@include("n"). p("host").'],
            ['n', 'q(1).'],
        ]);
        const program = await loaded(folder, '@include("m"). @output("p").', { otherPrograms });
        expect(moduleFiles(program)).toEqual(['m', 'n']);
        expect(program.modules.get('m')?.text).toContain('host');
        expect(program.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    });

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
        const read: NonNullable<ModuleSources['read']> = new Map();
        const first = await loaded(folder, '@include("m").', { read });
        const again = await loaded(folder, '@include("m"). q(1).', { read });
        const moduleOf = ({ program }: LoadedProgram) => program.program.inclusion?.modules[0];
        expect(moduleOf(again)).toBe(moduleOf(first));
        fs.writeFileSync(join(folder, 'm.rulelang'), 'p(1). p(2).');
        expect(moduleOf(await loaded(folder, '@include("m").', { read }))?.clauses).toHaveLength(2);
    });
});
