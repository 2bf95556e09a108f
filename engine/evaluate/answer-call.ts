import { inputColumns } from '#language/library/relation-question.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { answer } from '../graph/answer.ts';
import { type ReadGraph, readGraph } from '../graph/read-graph.ts';
import { Work } from '../graph/work.ts';
import { type GraphCall, isGraphCall, type PlanCall } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { report, stop } from '../reports/reports.ts';
import { shown } from './expression-site.ts';
import { relationQuestion, sampler } from './relation-question.ts';
import { constantScope, planOf, type RunContext, relationOf } from './run-context.ts';

/** Fills a relation with the answer of a relation function over a finished one (7.1); what the host answers is there already. */
export function answerCall(key: PredicateKey, call: PlanCall, context: RunContext): void {
    if (isGraphCall(call)) answerGraphCall(call, relationOf(context, key), context);
}

function answerGraphCall(call: GraphCall, target: Relation, context: RunContext): void {
    const { dictionary, checkpoint, memory, options } = context;
    const question = relationQuestion(call, target.arity, constantScope(context, call.location.place));
    const input = relationOf(context, call.input);
    const needed = inputColumns(call.function);
    if (input.arity < needed) {
        const reason = say`'${inputName(call, context)}', which has ${input.arity} of ${needed} columns`;
        stop('RT025', { location: call.location }, nameOf(call), reason);
    }
    const work = new Work(checkpoint, memory);
    const read = readGraph(input, needed === 3, dictionary, work);
    if (read.kind !== 'graph') refuse(read, call, context);
    const { graph, nodes, ignored } = read;
    if (ignored > 0) context.report(report('RT027', { location: call.location }, nameOf(call), ignored, inputName(call, context)));
    const below = sampler(options);
    answer(question, { graph, nodes, dictionary, work, below, add: row => void target.add(row) });
    work.release();
}

function refuse({ kind, value }: Exclude<ReadGraph, { kind: 'graph' }>, call: GraphCall, context: RunContext): never {
    switch (kind) {
        case 'negative weight':
            return stop('RT028', { location: call.location }, nameOf(call), shown(context.dictionary, value));
        case 'no number':
            return stop('RT022', { location: call.location }, nameOf(call), shown(context.dictionary, value));
        case 'mixed nodes':
            return stop('RT029', { location: call.location }, nameOf(call), inputName(call, context));
    }
}

function nameOf(call: GraphCall): string {
    return `#${call.function}`;
}

function inputName(call: GraphCall, context: RunContext): string {
    const { internal, predicate } = planOf(context, call.input);
    return internal ? say`the query` : predicate.name;
}
