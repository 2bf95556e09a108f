import { describe, expect, test } from 'vitest';
import { folderWith, rulelang } from './command-line.ts';

const COUNTS = [1, 2, 4, 7];

describe('--threads', () => {
    test('gives the same rows in the same order, and says the same, whatever it is', async () => {
        const line = (i: number): string => {
            if (i % 50_021 === 7) return `${i},only two\n`;
            if (i % 40_009 === 3) return `none,"quoted, ""twice""",${i}.5,\\N\n`;
            if (i % 1009 === 0) return `${i},,\\N,2031-04-09\n`;
            return `${(i * 7919) % 100_003},"name ${i % 5003}",${(i % 977) / 8},20${10 + (i % 80)}-0${1 + (i % 9)}-11 10:11:${10 + (i % 50)}\n`;
        };
        const text = Array.from({ length: 300_000 }, (_, i) => line(i)).join('');
        expect(text.length).toBeGreaterThan(5 * 2 ** 21);
        const folder = folderWith({
            'sales.csv': text,
            'sales.rulelang': `@bind("sale", "csv nullString='\\\\N'", ".", "sales.csv").
@mapping("sale", 0, "number", "int"). @mapping("sale", 1, "name", "string").
@mapping("sale", 2, "amount", "double"). @mapping("sale", 3, "at", "timestamp").
total(Name, T) <- sale(Number, Name, Amount, _), T = msum(Amount, <Number>).
odd(Number, Name, At) <- sale(Number, Name, Amount, At), Number > 99900.
@output("total"). @output("odd").
`,
        });
        const runs = [];
        for (const threads of COUNTS) {
            const { stdout, stderr, code } = await rulelang(folder, [
                'run',
                'sales.rulelang',
                '--threads',
                `${threads}`,
                '--unordered',
                '--limit',
                'all',
            ]);
            expect(code).toBe(0);
            runs.push({ stdout, stderr: stderr.replace(/[\d.]+ m?s$/mu, '') });
        }
        expect(runs[0]?.stdout).toContain('quoted, "twice"');
        expect(runs[0]?.stderr).toContain('RT071');
        for (const run of runs) expect(run).toEqual(runs[0]);
    });

    test('needs at least one', async () => {
        const { stderr, code } = await rulelang(folderWith({}), ['run', 'none.rulelang', '--threads', '0']);
        expect([code, stderr]).toEqual([2, expect.stringContaining("option '--threads' needs at least 1")]);
    });
});
