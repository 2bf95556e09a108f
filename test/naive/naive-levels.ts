import { stop } from '#engine/reports/reports.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { AnalysedProgram, AnalysedRule, PredicateKey, Stratum } from '#language/program/analysed-program.ts';
import { printRuleText } from '#language/program/print.ts';
import { NaiveRelation, type Tuple } from './naive-relation.ts';
import { type NaiveContext, NaiveRule } from './naive-rule.ts';
import { NaiveStratum, type StratumContext } from './naive-stratum.ts';

/** What the levels of a run need of it. */
export interface LevelsContext extends StratumContext {
    readonly relations: Map<PredicateKey, NaiveRelation>;
    readonly base: Map<PredicateKey, readonly Tuple[]>;
    /** Relation functions are to be answered again. */
    forgetAnswers(): void;
}

interface Evaluated {
    readonly component: Stratum;
    readonly stratum: NaiveStratum;
    /** It has groups or reads what has: everything it derived is derived again. */
    readonly anew: boolean;
}

/** The components level by level, with equality heads after each level and constraints at the end (4.8). */
export class NaiveLevels {
    readonly #program: AnalysedProgram;
    readonly #rules: readonly NaiveRule[];
    readonly #dictionary: Dictionary;
    readonly #context: LevelsContext;
    readonly #evaluated: Evaluated[] = [];

    constructor(program: AnalysedProgram, rules: readonly NaiveRule[], dictionary: Dictionary, context: LevelsContext) {
        this.#program = program;
        this.#rules = rules;
        this.#dictionary = dictionary;
        this.#context = context;
    }

    run(context: NaiveContext): void {
        const checkOf = (index: number): NaiveRule => new NaiveRule(withMatchesAsHead(this.#program.rules[index]!), context);
        for (const { components, equalities, again } of this.#program.levels) {
            for (const component of components) this.#evaluate(component);
            this.#equate(
                equalities.map(turn => turn.map(checkOf)),
                new Set(again),
            );
        }
        for (const { stratum } of this.#evaluated) stratum.reportIncomplete();
        for (const { index, rule } of this.#program.rules) {
            if (rule.head.kind !== 'falsity') continue;
            const violations = this.#matches(checkOf(index)).length;
            if (violations > 0) stop('RT041', { location: rule }, printRuleText(rule), violations, false);
        }
    }

    #evaluate(component: Stratum): void {
        const rules = component.rules.map(index => this.#rules[index]!);
        const stratum = new NaiveStratum(component, rules, this.#context);
        const anew = component.rules.some(index => {
            const { assignments, reads, literals } = this.#program.rules[index]!;
            if (reads.length > 0 || assignments.some(({ aggregates }) => aggregates.length > 0)) return true;
            return literals.some(({ predicate }) => this.#evaluated.some(one => one.anew && one.component.predicates.includes(predicate)));
        });
        this.#evaluated.push({ component, stratum, anew });
        stratum.run();
    }

    /**
     * Makes the values of all matches equal, rewrites all facts and evaluates strata again, until nothing changes. Heads of a
     * later turn are matched where those before replace nothing.
     */
    #equate(turns: readonly (readonly NaiveRule[])[], again: ReadonlySet<Stratum>): void {
        const { equalities } = this.#dictionary;
        let turn = 0;
        for (let round = 1; turn < turns.length; round++) {
            const rules = turns[turn]!;
            for (const rule of rules) {
                for (const [left, right] of this.#matches(rule)) {
                    if (equalities.equate(left!, right!) === 'different') this.#stopAt(rule.rule);
                }
            }
            const settled = equalities.settle();
            if ('different' in settled) this.#stopAt(rules[0]!.rule);
            if (settled.replaced.length === 0) {
                turn++;
                continue;
            }
            turn = 0;
            this.#rewrite();
            for (const { component, stratum, anew } of this.#evaluated) {
                if (anew) stratum.reset();
                if (anew || again.has(component)) stratum.run();
            }
            this.#context.checkpoint(round);
        }
    }

    #rewrite(): void {
        const { relations, base, chase, forgetAnswers } = this.#context;
        const rewritten = (tuples: readonly Tuple[]): Tuple[] => tuples.map(tuple => tuple.map(value => this.#dictionary.resolve(value)));
        chase?.rewrite(relations, value => this.#dictionary.resolve(value));
        for (const relation of relations.values()) relation.replace(rewritten(relation.tuples));
        for (const [key, tuples] of base) base.set(key, rewritten(tuples));
        for (const { stratum } of this.#evaluated) stratum.rewrite(value => this.#dictionary.resolve(value));
        forgetAnswers();
    }

    /** The values of the head for every match. */
    #matches(rule: NaiveRule): readonly Tuple[] {
        const [head] = rule.rule.heads;
        const { predicate, atom } = head!;
        const relation = new NaiveRelation(atom.arguments.length);
        this.#context.relations.set(predicate, relation);
        new NaiveStratum({ predicates: [predicate], rules: [], recursive: false, growing: false }, [rule], this.#context).run();
        this.#context.relations.delete(predicate);
        return relation.tuples;
    }

    #stopAt({ rule }: AnalysedRule): never {
        return stop('RT040', { location: rule }, printRuleText(rule), 'one value', 'another');
    }
}

/** The rule with a head of its own: the two values of an equality head, nothing for a constraint. */
function withMatchesAsHead(rule: AnalysedRule): AnalysedRule {
    const { head, span } = rule.rule;
    const predicate = `matches of rule ${rule.index}` as PredicateKey;
    const terms = head.kind === 'equality' ? [head.left, head.right] : [];
    return { ...rule, heads: [{ predicate, atom: { predicate, arguments: terms, span, nameSpan: span } }] };
}
