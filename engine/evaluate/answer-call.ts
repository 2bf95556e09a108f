import { inputColumns } from '#language/library/relation-question.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { answer } from '../graph/answer.ts';
import { readGraph } from '../graph/read-graph.ts';
import { Work } from '../graph/work.ts';
import type { PlanCall } from '../plan/plan.ts';
import { report, stop } from '../reports.ts';
import { shown } from './expression-site.ts';
import { relationQuestion } from './relation-question.ts';
import { constantScope, planOf, type RunContext, relationOf } from './run-context.ts';

/** Fills a relation with the answer of a relation function over a finished one (7.1). */
export function answerCall(key: PredicateKey, call: PlanCall, context: RunContext): void {
    const { dictionary, checkpoint, memory, options } = context;
    const target = relationOf(context, key);
    const question = relationQuestion(call, target.arity, constantScope(context, call.place));
    const input = relationOf(context, call.input);
    const needed = inputColumns(call.function);
    if (input.arity < needed) return;
    const location = { place: call.place, span: call.span };
    const name = `#${call.function}`;
    const work = new Work(checkpoint, memory);
    const read = readGraph(input, needed === 3, dictionary, work);
    switch (read.kind) {
        case 'negative weight':
            return stop('RT028', { location }, name, shown(dictionary, read.value));
        case 'no number':
            return stop('RT022', { location }, name, shown(dictionary, read.value));
        case 'mixed nodes':
            return stop('RT029', { location }, name, planOf(context, call.input).predicate.name);
        case 'graph':
            break;
    }
    const { graph, nodes, ignored } = read;
    if (ignored > 0) context.report(report('RT027', { location }, name, ignored, planOf(context, call.input).predicate.name));
    answer(question, { graph, nodes, dictionary, work, seed: options.seed ?? 0, add: row => void target.add(row) });
    work.release();
}
