import { expect, test } from 'vitest';
import { folderWith, rulelang } from './command-line.ts';

const PROGRAM = `p(1). p(2). p(3).
draw(X, R) <- p(X), R = math:uniform(1000000).
day(D, T) <- p(1), D = date:current_date(), T = date:current_timestamp().
@output("draw"). @output("day").
`;

async function answer(...options: string[]): Promise<Readonly<{ draw: unknown[][]; day: unknown[][] }>> {
    const folder = folderWith({ 'p.rulelang': PROGRAM });
    const { code, stdout } = await rulelang(folder, ['run', 'p.rulelang', '--format', 'json', ...options]);
    expect(code).toBe(0);
    return JSON.parse(stdout).resultSet;
}

test('a seed draws the same values again, another one others', async () => {
    const first = await answer('--seed', '7');
    expect((await answer('--seed', '7')).draw).toEqual(first.draw);
    expect((await answer('--seed', '8')).draw).not.toEqual(first.draw);
});

test('the present can be given', async () => {
    expect((await answer('--now', '2031-04-09T10:15:00+02:00')).day).toEqual([['2031-04-09', '2031-04-09 08:15:00']]);
    const folder = folderWith({ 'p.rulelang': PROGRAM });
    const { code, stderr } = await rulelang(folder, ['run', 'p.rulelang', '--now', 'noon']);
    expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining("option '--now' needs a time such as 2031-04-09T10:15:00Z, not 'noon'"),
    });
});

test('what was drawn can be explained', async () => {
    const folder = folderWith({ 'p.rulelang': PROGRAM });
    const [[, drawn]] = (await answer('--seed', '7')).draw as [[number, number]];
    const { code, stdout } = await rulelang(folder, ['explain', 'p.rulelang', `draw(1, ${drawn})`, '--seed', '7']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('p(1)') });
});
