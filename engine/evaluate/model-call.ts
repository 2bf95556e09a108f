import { projectedColumns, readModelQuestion } from '#language/library/model-question.ts';
import { say } from '#language/program/say.ts';
import { MIXED, printType, type Type } from '#language/program/types.ts';
import type { ModelCall } from '../plan/plan.ts';
import { stop } from '../reports.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileExpression } from './expression.ts';
import { warnAt } from './expression-site.ts';
import { filledPrompt, providedFor, replyReader, textOrNothing } from './provided-call.ts';
import type { Scope } from './scope.ts';

/** What `#LLM` makes of each row of its input: the columns that its options ask for (7.6). */
export function modelCall(
    call: ModelCall,
    columns: number,
    input: readonly { readonly type: Type }[],
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
    return row => {
        const texts = row.map((value, i) => textOrNothing(dictionary, value, input[i]?.type ?? MIXED));
        const replies = question.prompts.map((prompt, i) => {
            const reply = provided([filledPrompt(prompt, number => texts[number - 1]), text, printType(question.types[i]!)]);
            return readers[i]!(reply) ?? dictionary.labelledNull(`#LLM ${location.place.offset} ${i}`, row, false);
        });
        return projected.map(({ kind, index }) => (kind === 'arg' ? row[index - 1]! : replies[index - 1]!));
    };
}
