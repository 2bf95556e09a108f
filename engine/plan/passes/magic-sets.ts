import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { variableNames } from '#language/program/variable-names.ts';
import { hasFacts, startsWithFacts } from '../facts-relation.ts';
import {
    contributesFacts,
    IN_ROUNDS,
    inputsOf,
    type PlanLiteral,
    type PlanOutput,
    type PlanRelation,
    type PlanRule,
    type PlanStratum,
    type PlanTerm,
} from '../plan.ts';
import type { ProgramPass } from '../program-pass.ts';
import { BindingPatterns, type Pattern } from './binding-patterns.ts';
import { demandKey, demandRelation, demandRule, sameDemands, withoutRepetition } from './demand-rules.ts';
import { isWhole, mayRestrict, type Whole } from './may-restrict.ts';
import { type Answer, sumsInRange } from './sums-in-range.ts';
import { flowTo, reachedLiterals, type ValueFlow } from './value-flow.ts';

/** How values come to each literal of a rule is looked at anew for each of them; longer rules ask for everything. */
const MOST_LITERALS = 64;

const NOTHING_FLOWS: ValueFlow = { columns: [], through: [], filters: [], fromHead: false };

/** The parts of a plan while it is made. */
export interface DraftPlan {
    readonly relations: Map<PredicateKey, PlanRelation>;
    readonly constraints: readonly PlanRule[];
    readonly trees: ReadonlySet<PredicateKey>;
    /** Called between pieces of work; it may throw to end the planning. */
    readonly look?: () => void;
}

/** Strata that answer what is asked, and the relations that have no more rows than that. */
export interface Answering {
    readonly strata: readonly PlanStratum[];
    readonly partial: ReadonlySet<PredicateKey>;
}

/**
 * Leaves out facts without demand (magic sets: Bancilhon et al. 1986; Beeri and Ramakrishnan 1991). In `ans(Y) <- sg("a", Y)` only the
 * facts of `sg` about one generation with "a", or met on the way, are wanted. A relation holds the demand: first "a", then the values that
 * the rules of `sg` ask for in turn. Each of these rules reads it. A rule asks with its constants and with the demand of its own head,
 * handed on from literal to literal.
 *
 * The demand of a stratum is known before it runs: literals of lower strata hand demands on, and within a recursion its own literals do. So
 * no stratum becomes one with another, and what is negated or aggregated is complete as far as it is read.
 */
export const magicSets: ProgramPass<'magic-sets'> = {
    name: 'magic-sets',
    needs: ({ isPlain, complete }) => isPlain && complete !== undefined,
    run: (plan, { complete = new Set(), look }) => addMagicSets(plan.strata, { ...plan, look }, complete),
};

function addMagicSets(strata: readonly PlanStratum[], plan: DraftPlan, complete: ReadonlySet<PredicateKey>): Answering {
    if (strata.some(({ equalities }) => equalities !== undefined)) return { strata, partial: new Set() };
    return new Demands(strata, plan, complete).answer();
}

/** A rule with the demand to its head that it answers; without one it answers everything. */
interface Asker {
    readonly rule: PlanRule;
    readonly demand?: PlanLiteral;
}

/** A literal of a rule as a demand, and the stratum of the rule. */
interface Asking {
    readonly asker: Asker;
    readonly literal: PlanLiteral;
    readonly from: number;
}

/** A stratum with the rules that fill the relations of its demands. */
interface Answered {
    readonly answers: readonly Answer[];
    readonly demands: readonly PlanRule[];
    /** Rules that the demands read, in a stratum of their own before them. */
    readonly checks: readonly PlanRule[];
    /** The stratum after which the demands are known: this one where the recursion asks with what it finds. */
    readonly after: number;
}

class Demands {
    readonly #strata: readonly PlanStratum[];
    readonly #plan: DraftPlan;
    /** The stratum that fills a relation; those of facts and sources have none. */
    readonly #homes = new Map<PredicateKey, number>();
    readonly #asked = new Map<PredicateKey, BindingPatterns>();
    /** The stratum that each relation of demands is for. */
    readonly #demands = new Map<PredicateKey, number>();
    /** Demands of rules of higher strata, by stratum. */
    readonly #askings: readonly Asking[][];
    readonly #answered: Answered[] = [];

    constructor(strata: readonly PlanStratum[], plan: DraftPlan, complete: ReadonlySet<PredicateKey>) {
        this.#strata = strata;
        this.#plan = plan;
        this.#askings = strata.map(() => []);
        const inputs = [...plan.relations.values()].flatMap(({ call }) => (call === undefined ? [] : inputsOf(call)));
        const whole: Whole = { ...plan, complete: new Set([...complete, ...inputs]) };
        for (const [index, stratum] of strata.entries()) {
            const isRestricted = mayRestrict(stratum, whole);
            const taking = takingOver(stratum.rules);
            for (const key of stratum.relations) {
                const relation = plan.relations.get(key)!;
                const asked = new BindingPatterns(relation.groups !== undefined, keptColumns(relation, taking.get(key) ?? []));
                if (!isRestricted || isWhole(relation, whole)) asked.add([]);
                this.#asked.set(key, asked);
                this.#homes.set(key, index);
            }
        }
    }

    answer(): Answering {
        const top = this.#strata.length;
        for (const rule of this.#plan.constraints) this.#askBelow({ rule }, top);
        for (let index = top - 1; index >= 0; index--) {
            this.#answered[index] = this.#answerStratum(index);
            for (const answer of this.#answered[index]!.answers) this.#askBelow(answer, index);
        }
        // Those of higher strata come first: they are handed on.
        const homesAfter = new Map<number, number[]>();
        for (let home = top - 1; home >= 0; home--) {
            const { after } = this.#answered[home]!;
            if (after !== home) append(homesAfter, after, home);
        }
        const strataAfter = (index: number): PlanStratum[] => (homesAfter.get(index) ?? []).flatMap(home => this.#demandsFor(home));
        const strata = this.#strata.flatMap((stratum, index) => [this.#withDemands(stratum, index), ...strataAfter(index)]);
        const partial = [...this.#asked].filter(([, asked]) => asked.isRestricted).map(([key]) => key);
        return { strata: [...strataAfter(-1), ...strata], partial: new Set(partial) };
    }

    #answerStratum(index: number): Answered {
        this.#plan.look?.();
        const { rules, relations } = this.#strata[index]!;
        const own = (asker: Asker): Asking[] =>
            asker.rule.literals.flatMap(literal => (this.#home(literal) === index ? [{ asker, literal, from: index }] : []));
        this.#settle(rules, index, own);
        const askers = this.#askers(rules);
        const askings = [...this.#askings[index]!, ...askers.flatMap(own)];
        const asked = askings.flatMap(asking => this.#demandRule(asking, index));
        const names = sameDemands(asked);
        const nameOf = (key: PredicateKey): PredicateKey => names.get(key) ?? key;
        const demands = this.#possible(withoutRepetition(asked, nameOf).map(rule => this.#withoutImplied(rule, nameOf)));
        const filled = new Set(filledBy(demands));
        const isAsked = ({ demand }: Answer): boolean => demand === undefined || filled.has(demand.relation);
        const answers = askers.map(asker => this.#answerWith(asker, nameOf)).filter(isAsked);
        const range = sumsInRange(answers, this.#strata[index]!, this.#plan.relations);
        if (range === undefined) {
            for (const key of relations) this.#asked.get(key)!.add([]);
            return this.#answerStratum(index);
        }
        for (const key of filled) this.#demands.set(key, index);
        const isOwn = (literal: PlanLiteral): boolean => this.#home(literal) === index || this.#demands.get(literal.relation) === index;
        const all = [...demands, ...range.everything].map(rule => withRecursion(rule, isOwn));
        const read = [...all, ...range.checks].flatMap(({ literals }) => literals);
        const after = read.reduce((latest, literal) => Math.max(latest, this.#knownAfter(literal, index)), -1);
        return { answers, demands: all, checks: range.checks, after };
    }

    /**
     * Adds what the rules of a stratum ask their own relations, until they ask nothing new. A rule asks anew where its head is asked
     * for something else, and where a relation that it reads turns out to be wanted as a whole.
     */
    #settle(rules: readonly PlanRule[], index: number, askingsOf: (asker: Asker) => Asking[]): void {
        const concerned = new Map<PredicateKey, number[]>();
        for (const [number, { outputs, literals }] of rules.entries()) {
            for (const { relation } of [...outputs, ...literals]) append(concerned, relation, number);
        }
        let due: Iterable<number> = rules.keys();
        for (let isSettled = false; !isSettled; ) {
            this.#plan.look?.();
            const changed = new Set<PredicateKey>();
            const askers = this.#askers([...due].map(number => rules[number]!));
            for (const asking of askers.flatMap(askingsOf)) {
                const { relation } = asking.literal;
                if (this.#asked.get(relation)!.add(this.#flow(asking, index).columns)) changed.add(relation);
            }
            due = [...new Set([...changed].flatMap(key => [...concerned.get(key)!]))].sort((one, other) => one - other);
            isSettled = changed.size === 0;
        }
    }

    /** Returns the rules of demands without those that read a demand which no rule fills in the end. */
    #possible(rules: readonly PlanRule[]): readonly PlanRule[] {
        const filling = new Map<PredicateKey, number>();
        const readers = new Map<PredicateKey, number[]>();
        for (const [number, { outputs, literals }] of rules.entries()) {
            for (const { relation } of outputs) filling.set(relation, (filling.get(relation) ?? 0) + 1);
            for (const { relation } of literals) append(readers, relation, number);
        }
        const isEmpty = (relation: PredicateKey): boolean => {
            const isDemand = this.#plan.relations.get(relation)?.isDemand ?? !this.#plan.relations.has(relation);
            return isDemand && !this.#demands.has(relation) && (filling.get(relation) ?? 0) === 0;
        };
        const empty = new Set([...readers.keys()].filter(isEmpty));
        const gone = new Set<number>();
        for (const relation of empty) {
            for (const number of readers.get(relation) ?? []) {
                if (gone.has(number)) continue;
                gone.add(number);
                for (const { relation: filled } of rules[number]!.outputs) {
                    filling.set(filled, filling.get(filled)! - 1);
                    if (isEmpty(filled)) empty.add(filled);
                }
            }
        }
        return gone.size === 0 ? rules : rules.filter((_, number) => !gone.has(number));
    }

    /** The rules of a stratum, each for everything or once for each pattern that one of its heads is asked in. */
    #askers(rules: readonly PlanRule[]): Asker[] {
        return rules.flatMap(rule => {
            const isAsked = (output: PlanOutput): boolean => this.#asked.get(output.relation)!.isRestricted;
            const whole = rule.outputs.filter(output => !isAsked(output));
            if (contributesFacts(rule) || whole.length === rule.outputs.length) return [{ rule }];
            const asked = rule.outputs.filter(isAsked).flatMap(output => {
                const { patterns } = this.#asked.get(output.relation)!;
                return patterns.map(pattern => this.#asker({ ...rule, outputs: [output] }, output, pattern));
            });
            return whole.length === 0 ? asked : [{ rule: { ...rule, outputs: whole } }, ...asked];
        });
    }

    /** A demand cannot be told from the head where the head computes the value that it asks for. */
    #asker(rule: PlanRule, output: PlanOutput, pattern: Pattern): Asker {
        const relation = this.#plan.relations.get(output.relation)!;
        const terms = pattern.map(column => termAt(output, column, relation));
        const computed = new Set(rule.assignments.map(({ variable }) => variable));
        const isKnown = terms.map(name => !computed.has(name));
        if (!isKnown.includes(true) || (isKnown.includes(false) && output.kind === 'contribute')) return { rule };
        const demand: PlanLiteral = {
            relation: demandKey(relation, pattern),
            negated: false,
            recursive: false,
            terms: terms.map((name, i) => (isKnown[i] ? { kind: 'variable', name } : { kind: 'anonymous' })),
        };
        return { rule, demand };
    }

    #answerWith({ rule, demand: asked }: Asker, nameOf: (key: PredicateKey) => PredicateKey): Answer {
        if (asked === undefined) return { rule, isImplied: false };
        const demand = { ...asked, relation: nameOf(asked.relation) };
        return { rule, demand, isImplied: this.#isImplied(demand, rule.literals, nameOf) };
    }

    /** A demand whose first literal follows from another one need not read it. */
    #withoutImplied(rule: PlanRule, nameOf: (key: PredicateKey) => PredicateKey): PlanRule {
        const [first, ...others] = rule.literals;
        if (first === undefined || this.#plan.relations.get(first.relation)?.isDemand !== true) return rule;
        return this.#isImplied(first, others, nameOf) ? { ...rule, literals: others } : rule;
    }

    /** Whether one of the recursive literals has only rows that answer a demand. */
    #isImplied(demand: PlanLiteral, literals: readonly PlanLiteral[], nameOf: (key: PredicateKey) => PredicateKey): boolean {
        const hasOtherRows = (relation: PlanRelation): boolean =>
            relation.groups === undefined ? startsWithFacts(relation, this.#plan.relations) : hasFacts(relation.predicate);
        return literals.some(({ relation: key, negated, recursive, terms }) => {
            const [pattern, ...others] = recursive ? (this.#asked.get(key)?.patterns ?? []) : [];
            const relation = this.#plan.relations.get(key)!;
            if (negated || pattern === undefined || others.length > 0 || hasOtherRows(relation)) return false;
            if (nameOf(demandKey(relation, pattern)) !== demand.relation) return false;
            return pattern.every((column, i) => isSameVariable(terms[column]!, demand.terms[i]!));
        });
    }

    /** Asks the lower strata whose relations the rule reads. */
    #askBelow(asker: Asker, from: number): void {
        for (const literal of asker.rule.literals) {
            const home = this.#home(literal);
            if (home < 0 || home >= from) continue;
            this.#asked.get(literal.relation)!.add(this.#flow({ asker, literal, from }, home).columns);
            this.#askings[home]!.push({ asker, literal, from });
        }
    }

    /** The values that a literal asks a stratum for, in all columns that can be asked or in those of a pattern. */
    #flow({ asker, literal, from }: Asking, home: number, pattern?: Pattern): ValueFlow {
        const { rule } = asker;
        if (rule.literals.length > MOST_LITERALS) return NOTHING_FLOWS;
        const demand = this.#demandFor(asker, from, home);
        const known = new Set(variableNames(demand?.terms ?? []));
        const isComplete = ({ relation }: PlanLiteral): boolean => this.#asked.get(relation)?.isRestricted !== true;
        const { groups, arity } = this.#plan.relations.get(literal.relation)!;
        return flowTo(literal, pattern ?? groups?.keys ?? Array.from({ length: arity }, (_, column) => column), rule, {
            known,
            reached: reachedLiterals(rule, known, isComplete),
            mayUse: one => this.#home(one) < home || (from === home && this.#home(one) === home),
            relations: this.#plan.relations,
        });
    }

    /** Returns the demand of a rule's head, if it is known before another stratum runs. */
    #demandFor({ demand }: Asker, from: number, home: number): PlanLiteral | undefined {
        return from === home || (this.#answered[from]?.after ?? -1) < home ? demand : undefined;
    }

    #demandRule(asking: Asking, home: number): PlanRule[] {
        const { asker, literal, from } = asking;
        const relation = this.#plan.relations.get(literal.relation)!;
        const pattern = this.#asked.get(relation.key)!.patternFor(this.#flow(asking, home).columns);
        if (pattern === undefined) throw new Error(`A demand that ${relation.key} does not answer`);
        if (pattern.length === 0) return [];
        const demands = demandRelation(relation, pattern);
        this.#plan.relations.set(demands.key, demands);
        return [demandRule(asker.rule, literal, this.#flow(asking, home, pattern), demands, this.#demandFor(asker, from, home))];
    }

    /** The stratum after which the rows of a literal are known to the demands of a stratum. */
    #knownAfter({ relation }: PlanLiteral, index: number): number {
        const to = this.#demands.get(relation);
        if (to === index) return -1;
        return to === undefined ? (this.#homes.get(relation) ?? -1) : this.#answered[to]!.after;
    }

    #home({ relation }: PlanLiteral): number {
        return this.#homes.get(relation) ?? -1;
    }

    /** The stratum with its rules as they answer demands, and with the demands where the recursion itself asks them. */
    #withDemands(stratum: PlanStratum, index: number): PlanStratum {
        const { answers, demands, after } = this.#answered[index]!;
        const isWithin = after === index;
        const rules = answers.map(({ rule, demand, isImplied }) => {
            if (demand === undefined || isImplied) return rule;
            return { ...rule, literals: [{ ...demand, recursive: isWithin }, ...rule.literals] };
        });
        if (!isWithin) return { ...stratum, rules };
        return { ...stratum, relations: [...filledBy(demands), ...stratum.relations], rules: [...demands, ...rules] };
    }

    /** The strata of the demands to a stratum. */
    #demandsFor(home: number): PlanStratum[] {
        const { checks, demands } = this.#answered[home]!;
        return [checks, demands]
            .filter(rules => rules.length > 0)
            .map(rules => ({
                relations: filledBy(rules),
                rules,
                recursive: rules.some(({ literals }) => literals.some(literal => literal.recursive)),
                growing: false,
                finalPass: 'none',
                execution: IN_ROUNDS,
            }));
    }
}

/** A row that a rule makes of a row of the same relation. */
interface TakingOver {
    readonly from: readonly PlanTerm[];
    readonly to: readonly string[];
}

function takingOver(rules: readonly PlanRule[]): ReadonlyMap<PredicateKey, TakingOver[]> {
    const taking = new Map<PredicateKey, TakingOver[]>();
    for (const { outputs, literals } of rules) {
        const made = new Map<PredicateKey, (readonly string[])[]>();
        for (const output of outputs) if (output.kind !== 'contribute') append(made, output.relation, output.terms);
        for (const { relation, terms: from } of literals) {
            for (const to of made.get(relation) ?? []) append(taking, relation, { from, to });
        }
    }
    return taking;
}

/** The columns whose value each rule of a recursion takes over from the rows of the relation that it reads. */
function keptColumns({ arity }: PlanRelation, taking: readonly TakingOver[]): ReadonlySet<number> {
    const isKept = (column: number): boolean =>
        taking.every(({ from, to }) => {
            const term = from[column]!;
            return term.kind === 'variable' && term.name === to[column];
        });
    return new Set(Array.from({ length: arity }, (_, column) => column).filter(isKept));
}

function isSameVariable(one: PlanTerm, other: PlanTerm): boolean {
    return one.kind === 'variable' && other.kind === 'variable' && one.name === other.name;
}

function filledBy(rules: readonly PlanRule[]): PredicateKey[] {
    return [...new Set(rules.flatMap(({ outputs }) => outputs.map(({ relation }) => relation)))];
}

function withRecursion(rule: PlanRule, isOwn: (literal: PlanLiteral) => boolean): PlanRule {
    return { ...rule, literals: rule.literals.map(literal => ({ ...literal, recursive: isOwn(literal) })) };
}

/** The variable that an output has in a column; of groups, in a key column. */
function termAt(output: PlanOutput, column: number, { groups }: PlanRelation): string {
    return output.kind === 'contribute' ? output.keys[groups!.keys.indexOf(column)]! : output.terms[column]!;
}
