import { withHelper } from '#language/problems/catalogue.ts';
import { numberedName } from '#language/program/numbered-name.ts';
import type { Problem } from '#language/program/problem.ts';

/** The problems of a text with helpers whose names do not occur in it, nor twice among them. */
export function withFreshHelpers(problems: readonly Problem[], text: string): readonly Problem[] {
    if (problems.every(({ suggestion }) => suggestion?.kind !== 'helper')) return problems;
    const taken = new Set(text.match(/[A-Za-z]\w*/gu));
    return problems.map(problem => {
        const { suggestion } = problem;
        if (suggestion?.kind !== 'helper') return problem;
        const name = numberedName(suggestion.name, wished => taken.has(wished));
        taken.add(name);
        return withHelper(problem, { ...suggestion, name });
    });
}
