import { describe, expect, test } from 'vitest';
import { exampleDocument } from '#language/editing/example-document.ts';
import type { OpenDocument } from '#language/editing/open-document.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { EVERY_SEVERITY } from '../../support/every-severity.ts';
import { applied } from './editing-markers.ts';

/** Codes whose example has no mechanical repair, although others of the code may have one. */
const WITHOUT = new Set([
    'RL0007',
    'RL0013',
    'RL0017',
    'RL0047',
    'RL1112',
    'RL2205',
    'RL3013',
    'RL3014',
    'RL5005',
    'RL6121',
    'RL7112',
    'RL9028',
    'RL9033',
    'RL2007',
    'RL2011',
    'RL2101',
    'RL2202',
    'RL2303',
    'RL2401',
    'RL3003',
    'RL3004',
    'RL3005',
    'RL3010',
    'RL3012',
    'RL3021',
    'RL4004',
    'RL4010',
    'RL4013',
    'RL4020',
    'RL4021',
    'RL4022',
    'RL5003',
    'RL5004',
    'RL5006',
    'RL5010',
    'RL5014',
    'RL5015',
    'RL5020',
    'RL5021',
    'RL6002',
    'RL6010',
    'RL6021',
    'RL6033',
    'RL6034',
    'RL6035',
    'RL6051',
    'RL6053',
    'RL6062',
    'RL6063',
    'RL6064',
    'RL6065',
    'RL6071',
    'RL6072',
    'RL6090',
    'RL6091',
    'RL6092',
    'RL6104',
    'RL6109',
    'RL6112',
    'RL7105',
    'RL7108',
    'RL7110',
    'RL7122',
    'RL7123',
    'RL7124',
    'RL8005',
    'RL8011',
    'RL8012',
    'RL8013',
    'RL8016',
    'RL9002',
    'RL9023',
    'RL9034',
]);

function errorsOf({ problems }: OpenDocument): string[] {
    return problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

/** With what is wrong with the comments that ignore problems. */
function reportedDocument(text: string, entry: ProblemEntry): OpenDocument {
    const document = exampleDocument(text, entry);
    return { ...document, problems: reportedProblems({ ...document, clauses: document.analysed.program.clauses }, EVERY_SEVERITY) };
}

/** A clause that could not be read hides what else is wrong with it; only errors of syntax are new then. */
describe('every fix of an example removes its problem and makes no new error', () => {
    for (const [code, entry] of Object.entries<ProblemEntry>(PROBLEMS)) {
        test(`${code} ${entry.name}`, () => {
            const before = reportedDocument(entry.example, entry);
            const problem = before.problems.find(found => found.code === code);
            const fixes = problem === undefined ? [] : quickFixes(before, problem);
            expect(fixes.length > 0).toBe(!WITHOUT.has(code));
            expect(fixes.filter(({ preferred }) => preferred).length).toBeLessThanOrEqual(1);
            for (const fix of fixes) {
                expect(fix.edits.length).toBeGreaterThan(0);
                const text = applied(entry.example, fix.edits);
                const after = reportedDocument(text, entry);
                const alike = ({ problems }: OpenDocument): number =>
                    problems.filter(found => found.code === code && found.severity === problem?.severity).length;
                const left = alike(after) < alike(before);
                expect({ text, title: fix.title, left }).toEqual({ text, title: fix.title, left: true });
                const known = errorsOf(before);
                const unread = before.analysed.program.clauses.some(clause => clause.kind === 'broken');
                const fresh = errorsOf(after).filter(error => !known.includes(error) && !(unread && !/^RL00|^RL7002/.test(error)));
                expect({ text, title: fix.title, fresh }).toEqual({ text, title: fix.title, fresh: [] });
            }
        });
    }
});

test('a code in the list of those without fixes is a problem', () => {
    expect([...WITHOUT].filter(code => !(code in PROBLEMS))).toEqual([]);
});
