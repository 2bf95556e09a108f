import type { PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { OrderedRule, PlanEmit, PlanRelation, PlanRule } from './plan.ts';

/**
 * Whether different matches of a rule give different rows: then rows need not be told apart. It is so where the variables of
 * the head decide which row of each literal matched, as in `inverse(Y,X) <- p(X,Y)`, and no other head adds to the same relation.
 */
export function isInjective(
    output: PlanEmit,
    { rule, delta, steps }: OrderedRule,
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): boolean {
    if (delta !== undefined || rule.outputs.some(other => other !== output && other.relation === output.relation)) return false;
    const decided = decidedVariables(output, rule, relations);
    return steps.every(step => {
        if (step.kind === 'any match') return false;
        if (step.kind === 'intersect') return step.reads.every(read => isDecided(rule, read.literal, decided, relations));
        if (step.kind === 'assign') return step.definition.exploded === undefined;
        return step.kind !== 'read' || step.exists || isDecided(rule, step.literal, decided, relations);
    });
}

/** Whether the rows that a rule adds come from one match each, as for `isInjective`, before it is decided how the rule is run. */
export function decidesMatch(rule: PlanRule, relations: ReadonlyMap<PredicateKey, PlanRelation>): boolean {
    const [output] = rule.outputs;
    if (output?.kind !== 'emit' || rule.assignments.some(({ exploded }) => exploded)) return false;
    const decided = decidedVariables(output, rule, relations);
    return rule.literals.every((literal, index) => literal.negated || isDecided(rule, index, decided, relations));
}

/** The variables that have one value for each row of the output. */
function decidedVariables({ terms }: PlanEmit, rule: PlanRule, relations: ReadonlyMap<PredicateKey, PlanRelation>): ReadonlySet<string> {
    const decided = new Set([...terms, ...rule.constants.map(({ variable }) => variable)]);
    for (let before = -1; before < decided.size; ) {
        before = decided.size;
        for (const { variable, value } of rule.assignments) if (variablesOf(value).every(name => decided.has(name))) decided.add(variable);
        for (const { variable, frontier } of rule.inventions) if (decided.has(variable)) for (const name of frontier) decided.add(name);
        for (const [index, literal] of rule.literals.entries()) {
            if (literal.negated || !isDecided(rule, index, decided, relations)) continue;
            for (const term of literal.terms) if (term.kind === 'variable') decided.add(term.name);
        }
    }
    return decided;
}

/** Whether at most one row of a literal matches these variables: they hold its key. */
function isDecided(
    { literals }: PlanRule,
    index: number,
    decided: ReadonlySet<string>,
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): boolean {
    const { relation, terms } = literals[index]!;
    const keys = relations.get(relation)!.groups?.keys ?? [...terms.keys()];
    return keys.every(column => {
        const term = terms[column]!;
        return term.kind === 'variable' && decided.has(term.name);
    });
}
