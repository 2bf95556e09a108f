import type { PredicateKey } from '#language/program/analysed-program.ts';
import { sameType, type Type } from '#language/program/types.ts';
import { hasFacts } from '../facts-relation.ts';
import type { PlanRelation, PlanRule, PlanStratum } from '../plan.ts';
import type { ProgramPass } from '../program-pass.ts';

type Relations = ReadonlyMap<PredicateKey, PlanRelation>;

/** A rule that fills a relation, with the terms of its head. */
interface Filling {
    readonly rule: PlanRule;
    readonly terms: readonly string[];
}

/**
 * Leaves out conversions to the types of models that change nothing: where all rules fill a column with what they read from columns of
 * the same type, which were converted when they were filled. Whatever needs columns without conversions can be done then.
 */
export const idleCasts: ProgramPass<'idle-casts'> = {
    name: 'idle-casts',
    needs: ({ isPlain }) => isPlain,
    run: ({ strata, relations }) => {
        dropIdleCasts(strata, relations);
        return { strata };
    },
};

function dropIdleCasts(strata: readonly PlanStratum[], relations: Map<PredicateKey, PlanRelation>): void {
    const casting = new Map([...relations].filter(([, { columns }]) => columns.some(({ cast }) => cast)));
    for (const [key, fillings] of fillingsOf(strata, casting)) {
        const relation = casting.get(key)!;
        const isKept = (type: Type, at: number): boolean => fillings.every(filling => reads(filling, at, type, casting));
        const columns = relation.columns.map((column, at) =>
            column.cast && isKept(column.type, at) ? { ...column, cast: false } : column,
        );
        relations.set(key, { ...relation, columns });
    }
}

/** The rules that fill relations, of those that they alone fill with rows. */
function fillingsOf(strata: readonly PlanStratum[], relations: Relations): ReadonlyMap<PredicateKey, Filling[]> {
    const found = new Map<PredicateKey, Filling[]>();
    for (const rule of strata.flatMap(({ rules }) => rules)) {
        for (const output of rule.outputs) {
            const relation = relations.get(output.relation);
            if (output.kind !== 'emit' || relation === undefined || hasFacts(relation.predicate)) continue;
            const fillings = found.get(output.relation) ?? [];
            fillings.push({ rule, terms: output.terms });
            found.set(output.relation, fillings);
        }
    }
    return found;
}

/** Whether the term of a column is read from a column that converts to a type. */
function reads({ rule, terms }: Filling, at: number, type: Type, relations: Relations): boolean {
    return rule.literals.some(literal => {
        const columns = literal.negated ? [] : (relations.get(literal.relation)?.columns ?? []);
        return columns.some((column, i) => {
            const term = literal.terms[i]!;
            return term.kind === 'variable' && term.name === terms[at] && column.cast && sameType(column.type, type);
        });
    });
}
