import { FACTS_PLACE, projectedColumns, readModelQuestion } from '#language/library/model-question.ts';
import { say } from '#language/program/say.ts';
import { MIXED, printType, type Type } from '#language/program/types.ts';
import type { ModelCall } from '../plan/plan.ts';
import { stop } from '../reports/reports.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileExpression } from './expression.ts';
import { warnAt } from './expression-site.ts';
import { factsAround, type NearFacts } from './facts-around.ts';
import { filledPrompt, providedFor, replyReader, textOrNothing } from './provided-call.ts';
import type { Scope } from './scope.ts';

/** Calls a model for each row of the input of `#LLM`, for the columns that its options ask for (7.6). */
export function modelCall(
    call: ModelCall,
    /** Of the answer, and of the input; and what facts around its rows are looked for in. */
    {
        columns,
        input,
        near,
    }: { readonly columns: number; readonly input: readonly { readonly type: Type }[]; readonly near: readonly NearFacts[] },
    scope: Scope,
): (row: readonly ValueId[]) => ValueId[] {
    const { dictionary } = scope;
    const { location, options } = call;
    const text = options === undefined ? '' : dictionary.stringOf(compileExpression(options, scope)(new Int32Array(0)));
    const { question } = readModelQuestion(text, input.length);
    if (question === undefined) return stop('RT025', { location }, '#LLM', say`"${text}" for an input with ${input.length} columns`);
    const projected = projectedColumns(question, input.length);
    if (projected.length !== columns) {
        return stop('RT025', { location }, '#LLM', say`"${text}" for a head with ${columns} columns: it gives ${projected.length}`);
    }
    const provided = providedFor('#LLM', scope, location);
    const warn = warnAt('RT021', location, scope);
    const readers = question.types.map(type => replyReader(type, scope, warn));
    const around = factsAround(dictionary, near, question.facts?.steps ?? 0);
    const usesFacts = question.facts !== undefined;
    return row => {
        const facts = usesFacts ? around(row) : '';
        const texts = row.map((value, i) => textOrNothing(dictionary, value, input[i]?.type ?? MIXED));
        const replies = question.prompts.map((prompt, i) => {
            // Facts are put between the parts of the template, so that nothing in them is taken for a place of it.
            const parts = prompt.split(FACTS_PLACE).map(part => filledPrompt(part, number => texts[number - 1]));
            const reply = provided([parts.join(facts), text, printType(question.types[i]!)]);
            return readers[i]!(reply) ?? dictionary.labelledNull(`#LLM ${location.place.offset} ${i}`, row, false);
        });
        return projected.map(({ kind, index }) => (kind === 'arg' ? row[index - 1]! : replies[index - 1]!));
    };
}
