import { describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import type { Problem } from '#language/program/problem.ts';
import { readProgram } from '#language/read-program.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';

function problemsOf(text: string): readonly Problem[] {
    const read = readProgram(text, 'example.rulelang');
    const problems = [...read.problems, ...analyse(read.value).problems];
    return reportedProblems({ ...read.value, text, problems });
}

describe('every example has its problem and no other error', () => {
    for (const [code, entry] of Object.entries<ProblemEntry>(PROBLEMS)) {
        test(`${code} ${entry.name}`, () => {
            const found = problemsOf(entry.example);
            expect(found.map(problem => problem.code)).toContain(code);
            expect(found.filter(problem => problem.severity === 'error' && problem.code !== code)).toEqual([]);
        });
    }
});

test('names are distinct', () => {
    const names = Object.values<ProblemEntry>(PROBLEMS).map(entry => entry.name);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
