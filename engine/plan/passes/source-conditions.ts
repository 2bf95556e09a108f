import { isSelective } from '#language/library/connected-sources.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { isKnownConstant } from '#language/program/constants.ts';
import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import type { PlanCondition, PlanLiteral, PlanRelation, PlanRule, ValueTest } from '../plan.ts';
import type { ProgramPass } from '../program-pass.ts';
import { seenRelations } from './seen-relations.ts';

/** More lists of conditions are not worth their cost. */
const MOST_LISTS = 16;

/**
 * Finds what the rows of sources have to meet for a rule to read them: the constants in its atoms, and its conditions that compare a
 * column with a constant (selection push-down). The rules keep all of them, so that a source may carry out as few as it likes.
 */
export const sourceConditions: ProgramPass<'source-conditions'> = {
    name: 'source-conditions',
    needs: ({ isPlain, wanted, readsAll }) => isPlain && wanted !== undefined && !readsAll,
    run: (plan, { wanted = new Set() }) => {
        const { relations, strata } = plan;
        const seen = seenRelations(plan, wanted);
        const sources = [...relations.values()].filter(relation => isAskedForLess(relation) && !seen.has(relation.key));
        const asked = new Map(sources.map(({ key }) => [key, new Map<string, readonly PlanCondition[]>()]));
        if (asked.size > 0) for (const rule of strata.flatMap(({ rules }) => rules)) addConditions(rule, asked, relations);
        const partial: PredicateKey[] = [];
        for (const relation of sources) {
            const rows = [...asked.get(relation.key)!.values()];
            if (rows.length === 0 || rows.length > MOST_LISTS || rows.some(({ length }) => length === 0)) continue;
            const all = relation.columns.map((_, column) => column);
            relations.set(relation.key, { ...relation, needs: { columns: all, ...relation.needs, rows } });
            partial.push(relation.key);
        }
        return { strata, partial };
    },
};

/** Whether sources alone fill a relation, all of which can be asked for some of their columns and rows. */
export function isAskedForLess({ internal, call, predicate: { inputBinds, rules } }: PlanRelation): boolean {
    return (
        !internal &&
        call === undefined &&
        rules.length === 0 &&
        inputBinds.length > 0 &&
        inputBinds.every(bind => isSelective(bind.type) && queryParameters(bind).length === 0)
    );
}

/** Enters what a rule asks of each literal that reads a source, by its text; an empty list where that is nothing. */
function addConditions(
    rule: PlanRule,
    asked: ReadonlyMap<PredicateKey, Map<string, readonly PlanCondition[]>>,
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): void {
    for (const literal of rule.literals) {
        const lists = asked.get(literal.relation);
        if (lists === undefined) continue;
        const conditions = conditionsOn(literal, rule, relations.get(literal.relation)!.needs?.columns);
        lists.set(conditions.map(condition => printCondition(condition)).join(', '), conditions);
    }
}

/** `columns` are those that the relation has, where they are not all of the predicate. */
function conditionsOn({ terms }: PlanLiteral, rule: PlanRule, columns: readonly number[] | undefined): PlanCondition[] {
    const constants = new Map(rule.constants.map(({ variable, value }) => [variable, value]));
    const constantOf = (expression: Expression): Expression | undefined => {
        const value = expression.kind === 'variable' ? constants.get(expression.name) : expression;
        return value !== undefined && (value.kind === 'parameter' || isKnownConstant(value)) ? value : undefined;
    };
    const filters = rule.filters.flatMap(conjuncts);
    return terms.flatMap((term, at): PlanCondition[] => {
        if (term.kind === 'anonymous') return [];
        const column = columns?.[at] ?? at;
        const isTerm = (expression: Expression): boolean => expression.kind === 'variable' && expression.name === term.name;
        const value = constantOf({ kind: 'variable', name: term.name, span: rule.span });
        const equal: PlanCondition[] = value === undefined ? [] : [{ column, test: '=', value, place: rule.place }];
        return [...equal, ...filters.flatMap(filter => conditionOn(column, filter, isTerm, constantOf, rule) ?? [])];
    });
}

function conditionOn(
    column: number,
    filter: Expression,
    isTerm: (expression: Expression) => boolean,
    constantOf: (expression: Expression) => Expression | undefined,
    { place }: PlanRule,
): PlanCondition | undefined {
    if (isNullTest(filter, isTerm)) return { column, test: 'is null' };
    if (filter.kind === 'unary' && filter.operator === '!' && isNullTest(filter.operand, isTerm)) return { column, test: 'is not null' };
    if (filter.kind !== 'binary' || !Object.hasOwn(MIRRORED, filter.operator)) return undefined;
    const operator = filter.operator as keyof typeof MIRRORED;
    const [test, other] = isTerm(filter.left) ? [TESTS[operator], filter.right] : [MIRRORED[operator], filter.left];
    const value = isTerm(filter.left) || isTerm(filter.right) ? constantOf(other) : undefined;
    return value && { column, test, value, place };
}

function isNullTest(expression: Expression, isTerm: (expression: Expression) => boolean): boolean {
    return expression.kind === 'call' && expression.name === 'is_null' && expression.arguments.every(isTerm);
}

function conjuncts(filter: Expression): readonly Expression[] {
    if (filter.kind !== 'binary' || filter.operator !== '&&') return [filter];
    return [...conjuncts(filter.left), ...conjuncts(filter.right)];
}

const TESTS = { '=': '=', '==': '=', '!=': '!=', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const satisfies Record<string, ValueTest>;

/** With the sides exchanged. */
const MIRRORED = { '=': '=', '==': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const satisfies Record<
    string,
    ValueTest
>;

/** A condition on a column, for plans and comparisons. */
export function printCondition(condition: PlanCondition, name: (column: number) => string = String): string {
    const column = name(condition.column);
    return 'value' in condition ? `${column} ${condition.test} ${printExpression(condition.value)}` : `${column} ${condition.test}`;
}
