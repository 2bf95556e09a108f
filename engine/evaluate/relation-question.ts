import { type OptionProblem, readRelationOptions } from '#language/library/relation-options.ts';
import { type RelationQuestion, resultColumns } from '#language/library/relation-question.ts';
import { say } from '#language/program/say.ts';
import type { RunOptions } from '../contracts/run-options.ts';
import type { GraphCall } from '../plan/plan.ts';
import { stop } from '../reports/reports.ts';
import { randomBelow, surroundings } from './builtins/surroundings.ts';
import { compileExpression } from './expression.ts';
import type { Scope } from './scope.ts';

/** Reads the question of a call, with parameters put into the text of its options. The check has seen the text only without them. */
export function relationQuestion(call: GraphCall, columns: number, scope: Scope): RelationQuestion {
    const { location } = call;
    const text = call.options === undefined ? '' : scope.dictionary.stringOf(compileExpression(call.options, scope)(new Int32Array(0)));
    const { question, problems } = readRelationOptions(call.function, text);
    if (question === undefined) return stop('RT025', { location }, `#${call.function}`, `"${text}": ${problems.map(reason).join(', ')}`);
    const names = resultColumns(question);
    if (names.length !== columns) {
        return stop(
            'RT025',
            { location },
            `#${call.function}`,
            say`"${text}" for a head with ${columns} columns: it gives ${names.join(', ')}`,
        );
    }
    return question;
}

/** Returns the random source of one call's sample: the same nodes for the same seed, which is 0 if the run has none. */
export function sampler({ seed = 0 }: Pick<RunOptions, 'seed'>): (end: number) => number {
    const { word } = surroundings({ seed });
    return end => randomBelow(end, word);
}

function reason(problem: OptionProblem): string {
    switch (problem.code) {
        case 'RL7103':
            return say`'${problem.key}' is unknown`;
        case 'RL7104':
            return say`'${problem.key}' is repeated`;
        case 'RL7105':
            return say`'${problem.key}' must be ${problem.expected}`;
        case 'RL7106':
            return say`'${problem.first}' and '${problem.second}' exclude each other`;
        case 'RL7107':
            return say`'${problem.key}' is missing`;
        case 'RL7111':
            return say`'all_paths' has no effect`;
    }
}
