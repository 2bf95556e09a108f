import type { AnalysedRule, Predicate, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import type { Database } from '../contracts/database.ts';
import type { NullLabel } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Absence, distinct, inSections, KEPT } from './absence.ts';
import type { AbsentFact, Given, Reason, WhyNot } from './cause.ts';
import { explainFact } from './explain.ts';
import type { FactNode } from './explanation.ts';
import { FactWords } from './fact-words.ts';
import { valuesOf } from './failed-condition.ts';
import { GivenFacts } from './given-facts.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { furtherGiven, missingReason, oddReasons, unknownValues } from './missing-fact.ts';
import { type PartialMatcher, partialMatcher } from './partial-match.ts';
import { whyPresent } from './present-fact.ts';
import { rankCauses } from './rank-causes.ts';
import { Steps } from './steps.ts';
import { type AskedAbsence, Trials } from './trials.ts';
import { tryRule } from './try-rule.ts';
import { whyUnequal } from './unequal-values.ts';

/** How an absence is looked into. */
export interface WhyNotOptions {
    readonly label: NullLabel;
    /** Rows that the search looks at, about. */
    readonly steps?: number;
    /** Ends the search by an error; called once for about a thousand steps. */
    readonly checkpoint?: () => void;
    /** Whether the time is up: then the answer has what is known so far. */
    readonly isLate?: () => boolean;
}

const STEPS = 400_000;
/** Premises of premises that are followed. */
const DEEPEST = 7;
/** Reasons that are farther than the nearest by more are not told. */
const WORTH_TELLING = 2.5;
/** Steps that may tell whether a rule derives anything at all. */
const FIRING = 4_000;

/**
 * Explains an absence over a finished database. For each rule of the predicate the head is bound to the fact, and the
 * smallest weakening of the rule is looked for under which it gives the fact: an item left out, an argument left open, two
 * arguments exchanged; then two items left out. What was left out is the cause; a premise that rules could derive is
 * followed. Instances of missing facts are why-not provenance in the sense of Herschel and Hernández (VLDB 2010) and of
 * Lee, Köhler, Ludäscher and Glavic (PUG, VLDB Journal 2019); naming the item that stops a derivation goes back to the
 * "picky" operators of Chapman and Jagadish (SIGMOD 2009). The search is bounded in steps and depth. Small
 * changes of rules and data are tried out then, and what gives the fact is named first (`rank-causes.ts`).
 */
export function whyNot(database: Database, fact: AbsentFact, options: WhyNotOptions): WhyNot {
    const search = new Search(database, fact, options);
    const answer = search.absent(fact.predicate, fact.values, 0, false)!;
    try {
        return rankCauses(search, answer, new Trials(database, fact, search.steps));
    } catch (error) {
        if (error instanceof Late) return { ...answer, late: true };
        throw error;
    }
}

/**
 * Explains why two unknown values are two, as `whyNot` does for a fact: what the equality heads lack that could have made them equal.
 */
export function whyNotEqual(database: Database, values: readonly [ValueId, ValueId], options: WhyNotOptions): WhyNot {
    const search = new Search(database, { values }, options);
    try {
        const answer = search.unequal(...values, 0)!;
        return rankCauses(search, answer, new Trials(database, { values }, search.steps));
    } catch (error) {
        if (!(error instanceof Late)) throw error;
        const fact = values.map(value => search.words.term(value)).join(' = ');
        return { fact, further: false, reasons: [], edits: [], cutShort: true, late: true };
    }
}

/** Ends a search whose time is up. */
class Late extends Error {}

class Search implements Absence {
    readonly database: Database;
    readonly words: FactWords;
    readonly facts: GivenFacts;
    readonly steps: Steps;
    readonly asked: ReadonlySet<ValueId>;
    readonly hasEqualities: boolean;
    readonly #matchers = new Map<ResolvedAtom, PartialMatcher>();
    readonly #fact: AskedAbsence;
    readonly #label: NullLabel;
    readonly #idle = new Map<AnalysedRule, boolean>();
    readonly #known = new Map<string, WhyNot>();
    readonly #open = new Set<string>();

    constructor(
        database: Database,
        fact: AskedAbsence,
        { label, steps = STEPS, checkpoint = () => undefined, isLate = () => false }: WhyNotOptions,
    ) {
        this.database = database;
        this.words = new FactWords(database, label);
        this.#label = label;
        this.steps = new Steps(steps, () => {
            checkpoint();
            if (isLate()) throw new Late();
        });
        this.facts = new GivenFacts(database, this.steps);
        this.#fact = fact;
        this.asked = new Set(fact.values.filter(value => value !== undefined));
        this.hasEqualities = database.program.rules.some(({ rule }) => rule.head.kind === 'equality');
    }

    isSpent(): boolean {
        return this.steps.left < 0;
    }

    absent(key: PredicateKey, pattern: HeadPattern, depth: number, further: boolean): WhyNot | undefined {
        const predicate = this.database.program.predicates.get(key);
        if (predicate === undefined) return undefined;
        return this.once(`${key}:${pattern.join()}:${further}`, depth, () => {
            const found: Reason[] = [];
            try {
                this.#look(predicate, pattern, depth, further, found);
            } catch (error) {
                if (depth > 0 || !(error instanceof Late)) throw error;
            }
            found.sort((left, right) => left.distance - right.distance);
            const farthest = (found[0]?.distance ?? 0) + WORTH_TELLING;
            const told = distinct(found).filter(({ distance }) => distance <= farthest);
            // Trials may refute all of them; that no match gives the fact stays true.
            const last = found.find(({ cause }) => depth === 0 && cause.kind === 'nothing');
            const kept = [...told.filter(reason => reason !== last).slice(0, KEPT), ...(last === undefined ? [] : [last])];
            return { fact: this.words.pattern(predicate, pattern), further, ...inSections(kept), cutShort: this.isSpent() };
        });
    }

    /** Adds to `found` what stops the rules of a predicate, and what its data lack. */
    #look(predicate: Predicate, pattern: HeadPattern, depth: number, further: boolean, found: Reason[]): void {
        const { program } = this.database;
        for (const index of predicate.rules) {
            const rule = program.rules[index];
            for (const head of rule?.heads ?? []) {
                if (rule !== undefined && head.predicate === predicate.key) tryRule(this, rule, head, pattern, depth, further, found);
            }
        }
        const isGiven = predicate.rules.length === 0 || predicate.facts.length > 0 || predicate.inputBinds.length > 0;
        const missing = !isGiven ? undefined : further ? furtherGiven(this, predicate, pattern) : missingReason(this, predicate, pattern);
        if (missing !== undefined) found.push(missing);
        if (isGiven) found.push(...oddReasons(this, predicate, pattern));
        if (depth === 0) found.push(...unknownValues(this, pattern));
    }

    present(fact: FactRow, depth: number): WhyNot | undefined {
        return whyPresent(this, fact, depth);
    }

    proof(fact: FactRow): FactNode | undefined {
        if (this.database.relation(fact.predicate)?.notes?.heights === undefined) return undefined;
        return explainFact(this.database, fact, { label: this.#label, checkpoint: this.steps.pause });
    }

    unequal(left: ValueId, right: ValueId, depth: number): WhyNot | undefined {
        return whyUnequal(this, left, right, depth);
    }

    once(name: string, depth: number, find: () => WhyNot): WhyNot | undefined {
        const known = this.#known.get(name);
        if (known !== undefined) return known;
        if (depth > DEEPEST || this.#open.has(name)) return undefined;
        this.#open.add(name);
        const answer = find();
        this.#open.delete(name);
        if (this.#open.size === 0 || !this.isSpent()) this.#known.set(name, answer);
        return answer;
    }

    matcher(rule: AnalysedRule, head: ResolvedAtom): PartialMatcher {
        const matcher = this.#matchers.get(head) ?? partialMatcher(this.database, rule, head);
        this.#matchers.set(head, matcher);
        return matcher;
    }

    bindings(rule: AnalysedRule): readonly Given[] {
        const { predicate, values } = this.#fact;
        const head = rule.heads.find(one => one.predicate === predicate);
        if (head === undefined || rule.assignments.some(({ aggregates }) => aggregates.length > 0)) return [];
        let found: readonly Given[] = [];
        const matcher = partialMatcher(this.database, rule, head);
        matcher.run(values, [], this.steps.apart(FIRING), ({ registers }) => {
            found = valuesOf(this, [...matcher.slots.keys()], matcher, registers);
            return false;
        });
        return found;
    }

    isIdle(rule: AnalysedRule, head: ResolvedAtom): boolean {
        let idle = this.#idle.get(rule);
        if (idle === undefined) {
            const steps = this.steps.apart(FIRING);
            let fires = false;
            const everything = head.atom.arguments.map(() => undefined);
            this.matcher(rule, head).run(everything, [], steps, () => {
                fires = true;
                return false;
            });
            idle = !fires && steps.left >= 0;
            this.#idle.set(rule, idle);
        }
        return idle;
    }
}
