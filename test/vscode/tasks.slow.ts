import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { code, shareWindow, tidied } from './shared-window.ts';

shareWindow();

const OPEN = 'programs/tariff.rulelang';
/** Begins what the editor replaces. */
const DOLLAR = '$';
const WRONG = 'programs/problems.rulelang';

describe('tasks', () => {
    beforeAll(async () => {
        await tidied();
        const written = [
            {
                type: 'rulelang',
                command: 'run',
                file: `${DOLLAR}{relativeFile}`,
                args: ['--output', 'above', '--format', 'csv'],
                label: 'run what is open',
            },
            { type: 'rulelang', command: 'sing', file: OPEN, label: 'no command' },
        ];
        mkdirSync(join(code.workspace, '.vscode'), { recursive: true });
        writeFileSync(join(code.workspace, '.vscode/tasks.json'), JSON.stringify({ version: '2.0.0', tasks: written }));
        writeFileSync(join(code.workspace, `programs/odd ${DOLLAR}{file}.rulelang`), 'p(1).\n');
        await code.host('open', OPEN);
    });

    test('offers the program that is open, and those beside it', async () => {
        const offered = await code.host('tasks');
        expect(offered).toEqual(expect.arrayContaining([`run ${OPEN}`, `check ${OPEN}`, `run ${WRONG}`, `check ${WRONG}`]));
        expect(offered.filter(name => /odd|control|sing/u.test(name))).toEqual([]);
        await code.host('open', 'control/control.test.rulelang');
        expect(await code.host('tasks')).toEqual(
            expect.arrayContaining(['test control/control.test.rulelang', 'run control/control.rulelang']),
        );
        await code.host('open', OPEN);
    });

    test('a check lists the problems of a program that is not open', async () => {
        // Those that the language server lists are no news of a task.
        expect(await code.host('problemsOfTasks', WRONG)).toEqual([]);
        await code.host('runTask', `check ${WRONG}`);
        await expect.poll(() => code.host('problemsOfTasks', WRONG)).toEqual(expect.arrayContaining([expect.stringContaining('egde')]));
    });

    test('a task that is written in tasks.json runs what its variables say', async () => {
        await code.host('open', OPEN);
        await code.host('runTask', 'run what is open');
        const shown = async (): Promise<string> => {
            for (const name of ['focus', 'selectAll', 'copySelection']) await code.host('command', `workbench.action.terminal.${name}`);
            return code.host('clipboard');
        };
        await expect.poll(shown).toContain('Turin,763701.125');
    });
});
