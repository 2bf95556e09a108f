import type { PredicateKey } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import type { Plan, PlanParts, PlanRule, PlanStratum } from '../plan.ts';
import { waitsForMatch } from '../waits-for-match.ts';

/**
 * Leaves out the parts of a recursion that nobody asks for: where all rules outside read its relations with constants in
 * the column of the parts, as `from(Y) <- path("a", Y)`, only the parts of these constants are evaluated. This is what
 * magic sets (Bancilhon et al. 1986) come to where the bound column passes through the recursion. `complete` are the
 * predicates that must have all of their rows.
 */
export function restrictParts(
    strata: readonly PlanStratum[],
    { relations, constraints }: Pick<Plan, 'relations' | 'constraints'>,
    complete: ReadonlySet<PredicateKey>,
): PlanStratum[] {
    const asked = new Set([...relations.values()].flatMap(({ call }) => (call === undefined ? [] : [call.input])));
    const isWhole = (key: PredicateKey): boolean => complete.has(key) || asked.has(key);
    return strata.map(stratum => {
        const { parts } = stratum;
        if (parts === undefined || stratum.relations.some(isWhole) || mayReport(stratum, relations)) return stratum;
        const readers = [...strata.filter(one => one !== stratum).flatMap(({ rules }) => rules), ...constraints];
        const only = constantsRead(readers, parts);
        return only === undefined ? stratum : { ...stratum, parts: restricted(parts, only) };
    });
}

/** Whether facts that nobody asks for could end a run or be reported. */
function mayReport({ rules, finalPass, relations: own }: PlanStratum, relations: Plan['relations']): boolean {
    return (
        finalPass !== 'none' ||
        own.some(key => relations.get(key)!.columns.some(({ cast }) => cast)) ||
        rules.some(({ filters, assignments }) => [...filters, ...assignments.map(({ value }) => value)].some(waitsForMatch))
    );
}

/** The constants that the rules read the relations of the parts with; undefined where one reads more, or none reads any. */
function constantsRead(rules: readonly PlanRule[], { columns }: PlanParts): Expression[] | undefined {
    const constants = new Map<string, Expression>();
    for (const rule of rules) {
        for (const { relation, terms } of rule.literals) {
            const column = columns.get(relation);
            if (column === undefined) continue;
            const term = terms[column]!;
            const constant = term.kind === 'variable' ? rule.constants.find(({ variable }) => variable === term.name) : undefined;
            if (constant === undefined) return undefined;
            constants.set(printExpression(constant.value), constant.value);
        }
    }
    return constants.size === 0 ? undefined : [...constants.values()];
}

function restricted(parts: PlanParts, only: readonly Expression[]): PlanParts {
    const sources = parts.sources.flatMap(rule => {
        const [output] = rule.outputs;
        if (output?.kind !== 'emit') throw new Error('The values of parts are rows');
        const [variable = ''] = output.terms;
        return only.map(value => ({ ...rule, constants: [...rule.constants, { variable, value }] }));
    });
    return { ...parts, sources, only };
}
