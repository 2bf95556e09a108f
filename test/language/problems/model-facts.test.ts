import { expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';

const problemsOf = (options: string): string[] => {
    const program = `asked("a"). owns("a", "b"). @output("owns"). @output("t").\nt(X, T) <- #LLM(asked, "${options}").`;
    const { problems } = analyse(readProgram(program, 'p.rulelang').value);
    return problems.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`);
};

test.each([
    ['prompt=Is {arg_1}? {facts}, facts=owns;asked, steps=3', []],
    ['prompt=Is {arg_1}? {facts}', ["RL7107 '#LLM' needs the option 'facts'"]],
    ['prompt=Is {arg_1}?, steps=2', ["RL7107 '#LLM' needs the option 'facts'"]],
    ['prompt=Is {arg_1}?, facts=owns', ["RL7105 'facts' must be a prompt with {facts} in it"]],
    ['prompt={facts}, facts=owns;', ["RL7105 'facts' must be names of predicates, such as 'owns;person'"]],
    ['prompt={facts}, facts=owns, steps=4', ["RL7105 'steps' must be a whole number from 1 to 3"]],
    ['prompt={facts}, facts=onws', ["RL1101 Predicate 'onws' is not defined: no rule, fact, bind or @input"]],
    ['prompt={facts}, facts=t', ["RL7108 '#LLM' reads 't', which depends on this rule"]],
])('%s', (options, found) => {
    expect(problemsOf(options)).toEqual(found);
});
