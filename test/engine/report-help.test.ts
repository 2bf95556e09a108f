import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { REPORT_HELP, type ReportHelp, sampleReport } from '#engine/reports/report-help.ts';
import type { ReportCode } from '#engine/reports/reports.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { runOptions } from '../support/conformance.ts';

describe('every example gets its report, in the words that are shown', () => {
    const entries = Object.entries(REPORT_HELP) as unknown as [ReportCode, ReportHelp<'RT010'>][];
    test.each(entries)('%s', async (code, { example }) => {
        const { message, severity } = sampleReport(code);
        expect(message).not.toMatch(/'undefined'|NaN/);
        if (example === undefined) return;
        const program = analyse(readProgram(example, 'example.rulelang').value);
        expect(program.problems.filter(problem => problem.severity === 'error')).toEqual([]);
        const { reports } = await evaluate(program, runOptions('.'));
        expect(reports.map(found => ({ code: found.code, severity: found.severity, message: found.message }))).toContainEqual({
            code,
            severity,
            message,
        });
    });
});
