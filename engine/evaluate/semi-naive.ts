import type { PredicateKey } from '#language/program/analysed-program.ts';
import { IN_ROUNDS, isInParts, type PlanStratum } from '../plan/plan.ts';
import { answerCall } from './answer-call.ts';
import { finalPass } from './final-pass.ts';
import { type Groups, sortByHeight } from './groups.ts';
import { type Position, Rounds } from './rounds.ts';
import { groupsOf, planOf, type RunContext, relationOf } from './run-context.ts';
import type { Seen } from './windows.ts';

/** As `evaluateStratum`, with other threads where that is worth it. */
export async function evaluateShared(stratum: PlanStratum, position: Position, context: RunContext): Promise<number> {
    const { options, profile, careful, chase } = context;
    const isAlone = profile !== undefined || careful !== undefined || chase !== undefined || stratum.finalPass !== 'none';
    if (options.team !== undefined && !isAlone && stratum.execution.kind === 'sources') {
        const rounds = await new Rounds(stratum, position, context).runShared(options.team);
        for (const key of stratum.relations) relationOf(context, key).useTable();
        return rounds;
    }
    return evaluateStratum(stratum, position, context);
}

/** Evaluates a stratum whose lower strata are complete, and returns the number of its rounds. */
export function evaluateStratum(stratum: PlanStratum, position: Position, context: RunContext): number {
    for (const key of stratum.relations) {
        const { call } = planOf(context, key);
        if (call === undefined) continue;
        context.checkpoint.enter({ phase: 'evaluating', ...position, round: 1 });
        answerCall(key, call, context);
    }
    const initial = new Map(stratum.relations.map(key => [key, relationOf(context, key).count]));
    const loop = new Rounds(stratum, position, context);
    let rounds = loop.run();
    const groups = stratum.relations.flatMap(key => (planOf(context, key).groups === undefined ? [] : [groupsOf(context, key)]));
    const outside = groups.some(one => one.outsideRange);
    if (stratum.finalPass === 'needed' || (stratum.finalPass === 'without effect' && outside)) {
        const { execution } = stratum;
        if (isInParts(execution) && execution.parts.forgotten.size > 0) {
            forgetAll(stratum, groups, context);
            const parts = { ...execution.parts, forgotten: new Set<PredicateKey>() };
            return evaluateStratum({ ...stratum, execution: { ...execution, parts } }, position, context);
        }
        const rest = { ...stratum, execution: isInParts(execution) ? IN_ROUNDS : execution };
        rounds += finalPass(stratum, initial, context, rules => new Rounds({ ...rest, rules }, position, context).run());
    }
    for (const one of groups) {
        one.finish();
        if (context.options.heights) sortByHeight(one.relation);
    }
    for (const key of stratum.relations) relationOf(context, key).useTable();
    context.groups.clear();
    return rounds;
}

/** Takes back what a stratum has derived that had nothing before. */
function forgetAll(stratum: PlanStratum, groups: readonly Groups[], context: RunContext): void {
    for (const one of groups) one.finish();
    context.groups.clear();
    for (const key of stratum.relations) {
        const relation = relationOf(context, key);
        relation.forgotten = 0;
        relation.truncate(0);
    }
}

/** Evaluates a stratum without groups again, starting from the rows that it has not seen; returns the number of its rounds. */
export function resumeStratum(stratum: PlanStratum, seen: Seen, position: Position, context: RunContext): number {
    return new Rounds(stratum, position, context, seen).run();
}
