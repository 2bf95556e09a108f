import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { startsWithFacts } from '../facts-relation.ts';
import type { PlanOutput, PlanRule, PlanStratum } from '../plan.ts';
import type { ProgramPass } from '../program-pass.ts';
import { RuleParts } from '../rule-parts.ts';
import { isSilent, reportsEarly } from '../silent-expression.ts';
import { countsMatches } from './counts-matches.ts';
import { outputVariables } from './first-match.ts';
import { type ProgramPlan, seenRelations } from './seen-relations.ts';
import { isAskedForLess } from './source-conditions.ts';

/** Strata whose rules have only the columns that are read, and the relations that have become narrower. */
interface Narrowed {
    readonly strata: readonly PlanStratum[];
    readonly narrow: ReadonlySet<PredicateKey>;
}

/** The columns that are read, of the relations that need not have others. */
type LiveColumns = ReadonlyMap<PredicateKey, Set<number>>;

type ColumnOf = readonly [relation: PredicateKey, column: number];

/**
 * Leaves out unread columns of derived relations, and of databases and similar sources (Ramakrishnan, Beeri and Krishnamurthy 1988). Such
 * are X in `reached(Y) <- path(X, Y)`, and a label that a recursion carries along. Rows that differ in them alone become one, which is the
 * gain. A rule reads a column if it joins, selects, compares or aggregates by it, or passes it on to a read column. Counting rows reads all
 * columns.
 */
export const deadColumns: ProgramPass<'dead-columns'> = {
    name: 'dead-columns',
    needs: ({ isPlain, wanted }) => isPlain && wanted !== undefined,
    run: (plan, { wanted = new Set(), readsAll }) => {
        const { strata, narrow } = dropDeadColumns(plan.strata, plan, wanted, readsAll);
        return { strata, partial: narrow };
    },
};

function dropDeadColumns(
    strata: readonly PlanStratum[],
    plan: ProgramPlan,
    wanted: ReadonlySet<PredicateKey>,
    readsAll: boolean,
): Narrowed {
    const sources = readsAll ? [] : narrowedSources(plan, wanted);
    const { live, unread } = liveColumns(strata, plan, wanted, sources);
    const isNarrow = ([key, { size }]: readonly [PredicateKey, ReadonlySet<number>]): boolean =>
        size < plan.relations.get(key)!.arity || unread.has(key);
    const narrow = new Set([...live].filter(isNarrow).map(([key]) => key));
    if (narrow.size === 0) return { strata, narrow };
    for (const key of narrow) {
        const relation = plan.relations.get(key)!;
        const columns = relation.columns.filter((_, column) => live.get(key)!.has(column));
        plan.relations.set(key, { ...relation, arity: columns.length, columns });
    }
    for (const key of sources.filter(source => narrow.has(source))) {
        const relation = plan.relations.get(key)!;
        const columns = [...live.get(key)!].sort((a, b) => a - b);
        plan.relations.set(key, { ...relation, needs: { columns, ...(unread.has(key) && { anyRow: true }) } });
    }
    const narrowed = strata.map(stratum => ({
        ...stratum,
        rules: stratum.rules.map(rule => withLiveColumns(rule, live, plan.program)).filter(rule => !repeats(rule, narrow)),
    }));
    return { strata: narrowed, narrow };
}

/** Finds the relations of sources that can be asked for less, and that only rules read. */
function narrowedSources({ relations, ...plan }: ProgramPlan, wanted: ReadonlySet<PredicateKey>): PredicateKey[] {
    const seen = seenRelations({ ...plan, relations }, wanted);
    return [...relations.values()]
        .filter(relation => isAskedForLess(relation) && relation.predicate.facts.length === 0 && !seen.has(relation.key))
        .map(({ key }) => key);
}

/** The columns that are read, and the relations of which none is: one is kept then. */
function liveColumns(
    strata: readonly PlanStratum[],
    plan: ProgramPlan,
    wanted: ReadonlySet<PredicateKey>,
    sources: readonly PredicateKey[],
): { readonly live: LiveColumns; readonly unread: ReadonlySet<PredicateKey> } {
    const derived = candidates(strata, plan, wanted);
    const live = new Map([...derived, ...sources].map(key => [key, new Set<number>()]));
    const unread = new Set<PredicateKey>();
    if (live.size === 0) return { live, unread };
    const rules = strata.flatMap(stratum => stratum.rules).reverse();
    for (const key of derived) {
        const columns = live.get(key)!;
        for (const [column, { cast }] of plan.relations.get(key)!.columns.entries()) if (cast) columns.add(column);
    }
    for (const rule of rules) for (const [key, column] of stayingColumns(rule, plan.program)) live.get(key)?.add(column);
    for (let isSettled = false; !isSettled; ) {
        isSettled = true;
        const add = (key: PredicateKey, column: number): void => {
            const columns = live.get(key);
            if (columns === undefined || columns.has(column)) return;
            columns.add(column);
            isSettled = false;
        };
        for (const rule of rules) for (const [key, column] of readColumns(rule, live, plan)) add(key, column);
        if (!isSettled) continue;
        for (const [key, columns] of live) {
            if (columns.size > 0) continue;
            unread.add(key);
            add(key, 0);
        }
    }
    return { live, unread: new Set(sources.filter(key => unread.has(key) && live.get(key)!.size === 1)) };
}

/** Finds the relations that rules alone fill with rows, and that only rules read. */
function candidates(strata: readonly PlanStratum[], plan: ProgramPlan, wanted: ReadonlySet<PredicateKey>): PredicateKey[] {
    const seen = seenRelations(plan, wanted);
    return strata.flatMap(({ relations, growing, finalPass }) => {
        if (growing || finalPass === 'needed') return [];
        return relations.filter(key => {
            const relation = plan.relations.get(key)!;
            const isFilled = relation.groups === undefined && relation.call === undefined && !startsWithFacts(relation, plan.relations);
            return isFilled && !seen.has(key);
        });
    });
}

/** The columns of the heads of a rule in which it makes nulls; all of them where fewer reads of its literals could leave out a report. */
function stayingColumns(rule: PlanRule, program: AnalysedProgram): readonly ColumnOf[] {
    const invented = new Set(rule.inventions.map(({ variable }) => variable));
    const areAll = reportsEarly(rule, program);
    return rule.outputs.flatMap(output => {
        if (output.kind !== 'emit') return [];
        return output.terms.flatMap((term, column) => (areAll || invented.has(term) ? [[output.relation, column] as const] : []));
    });
}

/** The columns that a rule reads. */
function readColumns(rule: PlanRule, live: LiveColumns, plan: ProgramPlan): readonly ColumnOf[] {
    const needed = neededVariables(rule, live, plan.program);
    const terms = rule.literals.flatMap(literal => literal.terms);
    const isMet = (name: string): boolean => terms.filter(term => term.kind === 'variable' && term.name === name).length > 1;
    const isCounted = rule.parent !== undefined || countsMatches(rule, plan.relations);
    return rule.literals.flatMap(({ relation, negated, terms }) => {
        if (!live.has(relation)) return [];
        return terms.flatMap((term, column) => {
            const isRead = term.kind === 'variable' && (needed.has(term.name) || isMet(term.name));
            return isRead || (isCounted && !negated) ? [[relation, column] as const] : [];
        });
    });
}

/** The variables whose values decide what a rule derives in columns that are read, or reports. */
function neededVariables(rule: PlanRule, live: LiveColumns, program: AnalysedProgram): ReadonlySet<string> {
    const needed = new Set([
        ...rule.outputs.flatMap(output => outputVariables(withLiveTerms(output, live))),
        ...rule.constants.map(({ variable }) => variable),
        ...rule.filters.flatMap(variablesOf),
        ...rule.inventions.flatMap(({ frontier }) => frontier),
        ...rule.constantsOnly,
        ...computedInLiterals(rule),
    ]);
    const parts = rule.assignments.length === 0 ? undefined : new RuleParts(program, rule.types);
    for (const { variable, value, exploded } of [...rule.assignments].reverse()) {
        if (exploded || needed.has(variable) || !isSilent(value, one => parts!.typeOf(one))) {
            for (const name of [variable, ...variablesOf(value)]) needed.add(name);
        }
    }
    return needed;
}

/** The computed variables that a literal looks for or denies, as N in `N = D + 1, not day(N)`. */
function computedInLiterals({ literals, assignments }: PlanRule): readonly string[] {
    const computed = new Set(assignments.map(({ variable }) => variable));
    const names = literals.flatMap(({ terms }) => terms.flatMap(term => (term.kind === 'variable' ? [term.name] : [])));
    return names.filter(name => computed.has(name));
}

function withLiveColumns(rule: PlanRule, live: LiveColumns, program: AnalysedProgram): PlanRule {
    const needed = neededVariables(rule, live, program);
    return {
        ...rule,
        literals: rule.literals.map(literal => ({ ...literal, terms: liveTerms(literal.relation, literal.terms, live) })),
        assignments: rule.assignments.filter(({ variable }) => needed.has(variable)),
        outputs: rule.outputs.map(output => withLiveTerms(output, live)),
    };
}

function withLiveTerms(output: PlanOutput, live: LiveColumns): PlanOutput {
    return output.kind === 'emit' ? { ...output, terms: liveTerms(output.relation, output.terms, live) } : output;
}

function liveTerms<T>(relation: PredicateKey, terms: readonly T[], live: LiveColumns): readonly T[] {
    const columns = live.get(relation);
    return columns === undefined ? terms : terms.filter((_, column) => columns.has(column));
}

/** Whether a rule derives nothing but a fact that it reads, now that columns are gone in which the two differed. */
function repeats({ literals, filters, assignments, outputs }: PlanRule, narrow: ReadonlySet<PredicateKey>): boolean {
    const isRead = (output: PlanOutput): boolean =>
        output.kind === 'emit' &&
        narrow.has(output.relation) &&
        literals.some(
            ({ relation, negated, terms }) =>
                relation === output.relation &&
                !negated &&
                terms.every((term, column) => term.kind === 'variable' && term.name === output.terms[column]),
        );
    return filters.length + assignments.length === 0 && outputs.every(isRead);
}
