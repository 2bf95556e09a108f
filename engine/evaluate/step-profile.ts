import { printAtomText, printExpression } from '#language/program/print.ts';
import type { ItemProfile } from '../contracts/run-statistics.ts';
import type { Plan, PlanRead, PlanRule, PlanStep, PlanVariant } from '../plan/plan.ts';

/** A step to which matches come, and the items of the program that it goes through. */
export interface CountedStep {
    readonly step: PlanStep;
    readonly items: readonly Omit<ItemProfile, 'from' | 'to'>[];
    /** It reads rows of the program, and not only the values that the planner has chosen for it. */
    readonly reads: boolean;
}

/** The steps of a variant in the order in which its execution takes them, but for the output. */
export function countedSteps({ rule, steps, execution }: PlanVariant, { relations }: Pick<Plan, 'relations'>): readonly CountedStep[] {
    const own = steps.filter(({ kind }) => kind !== 'output');
    const first = execution.kind === 'factored' ? [execution.delta, execution.read] : [];
    const ordered = [...first, ...own.filter(step => !first.some(one => one === step))];
    const isChosen = ({ literal }: PlanRead): boolean => {
        const { internal, level } = relations.get(rule.literals[literal]!.relation)!;
        return internal && level === 'predicates';
    };
    return ordered.map(step => {
        const reads = step.kind === 'intersect' || (step.kind === 'read' && !isChosen(step));
        return { step, items: itemsOf(step, rule), reads };
    });
}

/** Counts the matches that reached each item, and those that went on from it. */
export function itemProfiles(steps: readonly CountedStep[], reached: Float64Array, passed: readonly number[]): ItemProfile[] {
    const begins = steps.findIndex(({ reads }) => reads);
    return steps.flatMap(({ items }, place) => {
        const from = place <= begins ? {} : { from: reached[place]! };
        return items.map(item => ({ ...item, ...from, to: passed[place]! }));
    });
}

function itemsOf(step: PlanStep, rule: PlanRule): CountedStep['items'] {
    switch (step.kind) {
        case 'read':
        case 'absent':
            return [literalItem(step, rule)];
        case 'intersect':
            return step.reads.map(read => literalItem(read, rule));
        case 'any match':
            return step.steps.flatMap(one => itemsOf(one, rule));
        case 'filter': {
            const { condition } = step;
            const location = { place: rule.place, span: condition.span };
            return [{ kind: 'condition', text: printExpression(condition), location }];
        }
        default:
            return [];
    }
}

function literalItem({ literal }: Pick<PlanRead, 'literal'>, rule: PlanRule): CountedStep['items'][number] {
    const { relation, negated, written } = rule.literals[literal]!;
    const kind = negated ? 'negation' : 'atom';
    if (written === undefined) return { kind, text: relation, relation };
    const { atom, place } = written;
    return { kind, text: printAtomText(atom), location: { place, span: atom.span }, relation };
}
