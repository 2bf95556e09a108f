import { numberedName } from '#language/program/numbered-name.ts';
import type { HelperPredicate, Problem } from '#language/program/problem.ts';

/** A problem whose remedy is to ask for the absence of a helper predicate. */
export function withHelper<P extends Pick<Problem, 'remedy' | 'helper'>>(problem: P, helper: HelperPredicate): P {
    const { name, terms, body } = helper;
    const atom = `${name}(${terms})`;
    return { ...problem, helper, remedy: `write 'not ${atom}' and '${atom} <- ${body}.' as a clause of its own` };
}

/** The problems of a text with helpers whose names do not occur in it, nor twice among them. */
export function withFreshHelpers(problems: readonly Problem[], text: string): readonly Problem[] {
    if (problems.every(({ helper }) => helper === undefined)) return problems;
    const taken = new Set(text.match(/[A-Za-z]\w*/gu));
    return problems.map(problem => {
        if (problem.helper === undefined) return problem;
        const name = numberedName(problem.helper.name, wished => taken.has(wished));
        taken.add(name);
        return withHelper(problem, { ...problem.helper, name });
    });
}
