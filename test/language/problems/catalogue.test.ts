import { describe, expect, test } from 'vitest';
import { exampleDocument } from '#language/editing/example-document.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import type { Problem } from '#language/program/problem.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { EVERY_SEVERITY } from '../../support/every-severity.ts';

function problemsOf(entry: ProblemEntry): readonly Problem[] {
    const { program, ...document } = exampleDocument(entry.example, entry);
    return reportedProblems({ ...document, clauses: program.clauses }, EVERY_SEVERITY);
}

describe('every example has its problem and no other error', () => {
    for (const [code, entry] of Object.entries<ProblemEntry>(PROBLEMS)) {
        test(`${code} ${entry.name}`, () => {
            const found = problemsOf(entry);
            expect(found.map(problem => problem.code)).toContain(code);
            expect(found.filter(problem => problem.severity === 'error' && problem.code !== code)).toEqual([]);
        });
    }
});

test('names are distinct', () => {
    const names = Object.values<ProblemEntry>(PROBLEMS).map(entry => entry.name);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
