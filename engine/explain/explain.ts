import type { AnalysedRule, Predicate, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { say } from '#language/program/say.ts';
import type { Merge } from '../contracts/clash.ts';
import type { Database } from '../contracts/database.ts';
import { factsKey } from '../plan/facts-relation.ts';
import { answerKey } from '../plan/relation-call.ts';
import type { Rows } from '../relations/rows.ts';
import { factText, namedText, ruleText, verbalize } from '../values/fact-text.ts';
import { compareValues } from '../values/order.ts';
import type { NullLabel } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { answeredCalls } from './answered-calls.ts';
import { contributionsTo, type GroupedMatch, withoutCasts } from './contributions.ts';
import { EqualityPremises } from './equality-premises.ts';
import type { ContributionNode, DerivationNode, FactNode, GroupNode, GroupResults, Origin, PremiseNode } from './explanation.ts';
import { type Contributed, groupResults } from './group-results.ts';
import { groupRegisters } from './group-values.ts';
import { type FactRow, type HeadPattern, type MatchOrder, matchRule, matchScope, type ReplacedNull, type RuleMatch } from './match-rule.ts';
import { type MatchWords, matchWords } from './match-words.ts';
import { originOf } from './origin.ts';
import { hasRow, patternRows } from './pattern-rows.ts';
import { type QueryResult, queryResults } from './query-matches.ts';
import { WalkedEdges } from './walked-edges.ts';

export interface ExplainOptions {
    /** Every derivation of the fact asked about instead of the first; its premises are explained by their first. */
    readonly all?: boolean;
    readonly label: NullLabel;
    /** Derivations tell what the variables of their rules hold. */
    readonly registers?: true;
    /** Ends the search by an error once it has taken too long. */
    readonly checkpoint?: () => void;
}

/**
 * Explains a fact of a database whose run kept heights. Each premise of a derivation has a smaller height than its
 * conclusion, so explanations are finite. An aggregated fact may have got its final value after a fact was derived from
 * an earlier one: as that fact's premise it is explained by the contributions that were there, and lists the later ones
 * unexplained. The first derivation is one of smallest height
 * (ties: textual order of rules, then order of the premises' values).
 */
export function explainFact(database: Database, fact: FactRow, options: ExplainOptions): FactNode {
    return new Explainer(database, options).question(fact);
}

interface Candidate {
    readonly rule: AnalysedRule;
    readonly match: RuleMatch;
    readonly height: number;
    /** The equalities that gave the nulls of the match their values. */
    readonly merges: readonly Merge[];
    /** Where the match was found in the body of a rule. */
    readonly registers?: Int32Array;
    /** The match is one of a query. */
    readonly isAnswer?: true;
    /** The rows that the result of a query was made from. */
    readonly group?: QueriedGroup;
}

type QueriedGroup = Pick<QueryResult, 'matches' | 'count'>;

type Contribution = Candidate & GroupedMatch;

class Explainer {
    readonly #database: Database;
    readonly #options: ExplainOptions;
    readonly #nodes = new Map<string, FactNode>();
    readonly #equalities: EqualityPremises;
    readonly #words = new Map<AnalysedRule, MatchWords>();
    readonly #walkedEdges: WalkedEdges;
    /** The predicates of relations that are internal to the plan. */
    readonly #predicates = new Map<PredicateKey, Predicate>();

    constructor(database: Database, options: ExplainOptions) {
        this.#database = database;
        this.#options = options;
        this.#equalities = new EqualityPremises(database, options.label);
        this.#walkedEdges = new WalkedEdges(database, options.checkpoint ?? (() => undefined));
    }

    question(fact: FactRow): FactNode {
        const all = this.#options.all === true;
        return this.#node(fact, all ? Number.POSITIVE_INFINITY : this.#height(fact), all);
    }

    /** The node of a fact, explained by what had appeared below the height `limit`. */
    #fact(fact: FactRow, limit: number): FactNode {
        const below = Math.min(limit, this.#height(fact));
        const key = `${fact.predicate}:${fact.row}:${below}`;
        const node = this.#nodes.get(key) ?? this.#node(fact, below, false);
        this.#nodes.set(key, node);
        return node;
    }

    #node(fact: FactRow, below: number, all: boolean): FactNode {
        const predicate = this.#predicate(fact.predicate);
        const height = this.#height(fact);
        const values = this.#values(fact);
        const merge = this.#equalities.mergeOf(fact);
        const mayBeGiven = height === 0 || merge !== undefined || isAggregated(predicate);
        const origin = mayBeGiven ? this.#origin(this.#given(fact, predicate, values)) : undefined;
        let derivations: readonly DerivationNode[] | undefined =
            origin !== undefined && !all ? this.#equalities.derivationsOf(merge) : undefined;
        const explain = (): readonly DerivationNode[] => {
            const found = this.#derivations(fact, predicate, values, below, all);
            if (found.length > 0 && origin === undefined) return found;
            const shown = [...this.#equalities.derivationsOf(merge), ...found];
            return shown.length === 0 && this.#database.merges?.all.length ? this.#earlier(fact, predicate, values, below, all) : shown;
        };
        return {
            ...this.#listed(fact),
            deferred: false,
            ...(origin === undefined ? {} : { origin }),
            get derivations() {
                derivations ??= explain();
                return derivations;
            },
        };
    }

    /** Derivations whose conditions or negations held for values that equality heads have replaced since. */
    #earlier(fact: FactRow, predicate: Predicate, values: readonly ValueId[], below: number, all: boolean): DerivationNode[] {
        const remark = say`a value was replaced since`;
        const changed = { kind: 'fact', row: fact, fact: `(${remark})`, verbalization: remark, deferred: false, asMatched: true } as const;
        // What was not there then may be there with the values of now.
        return this.#derivations(fact, predicate, values, below, all, true).map(({ absent: _, ...derivation }) => ({
            ...derivation,
            premises: [...derivation.premises, { ...changed, derivations: [] }],
        }));
    }

    /** How many facts of a match have got their values by an equality head: it may have done so because of the conclusion. */
    #rewritten(match: RuleMatch): number {
        return match.filter(premise => this.#equalities.mergeOf(premise) !== undefined).length;
    }

    #derivations(
        fact: FactRow,
        predicate: Predicate,
        values: readonly ValueId[],
        limit: number,
        all: boolean,
        earlier = false,
    ): DerivationNode[] {
        const plain: Candidate[] = [];
        const grouped: Contribution[] = [];
        for (const { rule, head } of this.#rulesOf(predicate)) {
            if (rule.rule.body.kind !== 'items') {
                plain.push(...this.#answers(rule, predicate, values));
                continue;
            }
            const aggregated = isAggregating(rule);
            const isTold =
                this.#options.registers === true ||
                rule.literals.some(({ negated }) => negated) ||
                (this.#database.calls?.(rule.index) ?? []).length > 0;
            const pattern = aggregated ? groupPattern(rule, head, values) : values;
            const collect = (match: RuleMatch, replaced: readonly ReplacedNull[], live: Int32Array): void => {
                if (!aggregated && match.some(premise => premise.predicate === fact.predicate && premise.row === fact.row)) return;
                const merges = this.#equalities.mergesOf(replaced);
                const own = aggregated ? match : match.filter(premise => !isAggregated(this.#predicate(premise.predicate)));
                const candidate = { rule, head, match, height: this.#heightOf(own), merges };
                if (aggregated) grouped.push({ ...candidate, registers: live.slice(), facts: `${grouped.length}` });
                else if (isTold) plain.push({ ...candidate, registers: live.slice() });
                else plain.push(candidate);
            };
            const { checkpoint = () => undefined } = this.#options;
            const first = all || aggregated ? {} : { first: this.#order(fact, limit) };
            matchRule(this.#database, rule, head, pattern, collect, { earlier, checkpoint, ...first });
        }
        const contributions: (Candidate | Contribution)[] = [
            ...contributionsTo(this.#database, predicate, values, grouped),
            ...this.#givenContributions(fact, predicate, values),
        ];
        const isCircular = ({ merges }: Candidate): boolean => merges.some(merge => this.#equalities.restsOn(merge, predicate, values));
        const low = plain.filter(candidate => candidate.height < limit);
        const straight = low.filter(candidate => !isCircular(candidate));
        const grounded = straight.length > 0 ? straight : low;
        grounded.sort(
            (left, right) =>
                left.merges.length - right.merges.length ||
                left.height - right.height ||
                this.#heightOf(left.match) - this.#heightOf(right.match) ||
                this.#rewritten(left.match) - this.#rewritten(right.match) ||
                left.rule.index - right.rule.index ||
                this.#compare(left.match, right.match),
        );
        const shown = all ? different(grounded) : grounded.slice(0, contributions.length > 0 ? 0 : 1);
        const derivations = shown.map(candidate => this.#derivation(candidate, limit, fact));
        return contributions.length > 0 ? [this.#aggregation(predicate, values, contributions, limit), ...derivations] : derivations;
    }

    /** The ways in which the relation function, the query or the script of a rule gives a fact. */
    #answers(rule: AnalysedRule, predicate: Predicate, values: readonly ValueId[]): Candidate[] {
        const one = { rule, match: [], height: 0, merges: [] };
        if (!hasRow(this.#database.relation(answerKey(rule)), withoutCasts(predicate, values))) return [];
        const ways = queryResults(this.#database, rule, predicate, values).flatMap(({ kind, matches, count }): Candidate[] =>
            kind === 'groups' && matches.length > 0
                ? [{ ...one, group: { matches, count } }]
                : matches.map(match => ({ ...one, match, isAnswer: true })),
        );
        if (ways.length > 0) return ways;
        const walked = this.#walkedEdges.of(rule, values);
        return [walked.length > 0 ? { ...one, match: walked, isAnswer: true } : one];
    }

    /** The rows that an aggregate of a query reads. */
    #queriedGroup({ rule }: Candidate, { matches, count }: QueriedGroup, conclusion: FactRow): GroupNode {
        const predicate = this.#predicate(conclusion.predicate);
        const values = this.#values(conclusion);
        const contributions = [...matches]
            .sort((left, right) => this.#compare(left, right))
            .map(match => ({ ...ruleText(rule), premises: match.map(premise => this.#fact(premise, Number.POSITIVE_INFINITY)) }));
        const more = count - contributions.length;
        return {
            kind: 'group',
            fact: this.#text({ ...predicate, name: `aggregated_explainability_${predicate.name}` }, values),
            verbalization: say`the rows that contribute to ${this.#text(predicate, values)}`,
            contributions,
            ...(more > 0 ? { more } : {}),
        };
    }

    /** Which match explains a fact first; those of equality heads, and the order of rules, come on top. */
    #order(fact: FactRow, limit: number): MatchOrder {
        const ownHeight = (premise: FactRow): number => (isAggregated(this.#predicate(premise.predicate)) ? 0 : this.#height(premise));
        return {
            admits: premise => ownHeight(premise) < limit && !(premise.predicate === fact.predicate && premise.row === fact.row),
            costs: [ownHeight, premise => this.#height(premise)],
            compare: (left, right) => this.#compare([left], [right]),
        };
    }

    #derivation(candidate: Candidate, limit: number, conclusion: FactRow): DerivationNode {
        const { rule, match, merges, registers, group, isAnswer } = candidate;
        if (group !== undefined) return { ...ruleText(rule), premises: [this.#queriedGroup(candidate, group, conclusion)], isAnswer: true };
        // What a query reads is complete before it is answered.
        const premises = match.map(premise => this.#fact(premise, isAnswer ? Number.POSITIVE_INFINITY : limit));
        const all = new Set([...(makesNulls(rule) ? this.#equalities.replacementsOf(conclusion) : []), ...merges]);
        const absent = registers === undefined ? [] : this.#wordsOf(rule).absent(registers);
        const equations = this.#equalities.equations(conclusion, all);
        const calls = registers === undefined ? [] : this.#callsOf(rule, registers, conclusion);
        return {
            ...ruleText(rule),
            premises: [...premises, ...calls, ...equations],
            ...(isAnswer && { isAnswer }),
            ...inWords(absent),
            ...this.#held(registers),
        };
    }

    /** What the host has answered for a match; nothing is below it. */
    #callsOf(rule: AnalysedRule, registers: Int32Array, row: FactRow): FactNode[] {
        return answeredCalls(this.#database, rule, registers, this.#options.label).map(fact => {
            return { kind: 'fact', row, fact, verbalization: fact, deferred: false, asMatched: true, derivations: [] };
        });
    }

    #held(registers: Int32Array | undefined): Pick<DerivationNode, 'registers'> {
        return registers === undefined || this.#options.registers === undefined ? {} : { registers };
    }

    #wordsOf(rule: AnalysedRule): MatchWords {
        const words = this.#words.get(rule) ?? matchWords(this.#database, rule, this.#options.label);
        this.#words.set(rule, words);
        return words;
    }

    #aggregation(
        predicate: Predicate,
        values: readonly ValueId[],
        contributions: (Candidate | Contribution)[],
        limit: number,
    ): DerivationNode {
        contributions.sort((left, right) => left.rule.index - right.rule.index || this.#compare(left.match, right.match));
        const first = contributions[0]!;
        const keys = values.filter((_, column) => !predicate.aggregatedColumns.includes(column));
        const keyPredicate = { ...predicate, name: `aggregated_explainability_${predicate.name}`, columns: keyColumns(predicate) };
        const nodes = contributions.map(
            ({ rule, match, registers }): ContributionNode => ({
                ...ruleText(rule),
                premises: match.map(
                    (premise): PremiseNode => (this.#height(premise) < limit ? this.#fact(premise, limit) : this.#listed(premise)),
                ),
                ...(registers === undefined
                    ? {}
                    : {
                          ...inWords(this.#wordsOf(rule).absent(registers)),
                          gives: this.#wordsOf(rule).gives(registers),
                          ...this.#held(registers),
                      }),
            }),
        );
        let results: GroupResults | undefined;
        const compute = (): GroupResults => {
            const contributed = contributions.map((one, index): Contributed => {
                const node = nodes[index]!;
                return 'facts' in one ? { node, match: one } : { node, values: this.#values(one.match[0]!) };
            });
            return groupResults(this.#database, predicate, values, contributed, this.#options.label);
        };
        const group: GroupNode = {
            kind: 'group',
            fact: this.#text(keyPredicate, keys),
            verbalization: say`the values that contribute to ${this.#text(predicate, values)}`,
            contributions: nodes,
            get results() {
                results ??= compute();
                return results;
            },
        };
        return { ...ruleText(first.rule), premises: [group], ...inWords(this.#absentAfterwards(first.rule, contributions)) };
    }

    /** What a rule asks not to be there once it knows its results. */
    #absentAfterwards(rule: AnalysedRule, contributions: readonly Candidate[]): string[] {
        if (!rule.literals.some(({ negated, afterAggregation }) => negated && afterAggregation)) return [];
        const matches = contributions.flatMap((one, index) =>
            one.registers === undefined || one.rule !== rule ? [] : [{ registers: one.registers, facts: `${index}` }],
        );
        const registers = groupRegisters(this.#database, rule, matchScope(this.#database, rule), matches);
        return registers === undefined ? [] : this.#wordsOf(rule).absentAfterwards(registers);
    }

    /** A contribution's fact that is named but not explained. */
    #listed(fact: FactRow): FactNode {
        const predicate = this.#predicate(fact.predicate);
        const values = this.#values(fact);
        const verbalization = verbalize(this.#database.dictionary, predicate, values, this.#options.label);
        const named = namedText(this.#database.dictionary, predicate, values, this.#options.label);
        const inWords = named === undefined ? {} : { named };
        return { kind: 'fact', row: fact, fact: this.#text(predicate, values), verbalization, ...inWords, deferred: true, derivations: [] };
    }

    #rulesOf(predicate: Predicate): { rule: AnalysedRule; head: ResolvedAtom }[] {
        return predicate.rules.flatMap(index => {
            const rule = this.#database.program.rules[index];
            if (rule === undefined) return [];
            return rule.heads.filter(head => head.predicate === predicate.key).map(head => ({ rule, head }));
        });
    }

    #heightOf(match: RuleMatch): number {
        return Math.max(0, ...match.map(premise => this.#height(premise)));
    }

    #compare(left: RuleMatch, right: RuleMatch): number {
        for (let i = 0; i < Math.min(left.length, right.length); i++) {
            const [a, b] = [this.#values(left[i]!), this.#values(right[i]!)];
            for (let column = 0; column < a.length; column++) {
                const order = compareValues(this.#database.dictionary, a[column]!, b[column]!);
                if (order !== 0) return order;
            }
        }
        return 0;
    }

    /** The row of a fact in the relation of the facts and source rows, which is another one where rules aggregate the predicate. */
    #given(fact: FactRow, predicate: Predicate, values: readonly ValueId[]): FactRow {
        const given = this.#givenOf(predicate);
        return given === undefined ? fact : { predicate: given, row: this.#rows(given).find(values) };
    }

    /** The facts and source rows that contribute to the group of an aggregated fact. */
    #givenContributions(fact: FactRow, predicate: Predicate, values: readonly ValueId[]): Candidate[] {
        const given = this.#givenOf(predicate);
        const rule = this.#rulesOf(predicate).find(of => isAggregating(of.rule))?.rule;
        if (given === undefined || given === fact.predicate || rule === undefined) return [];
        const key = values.map((value, column) => (predicate.aggregatedColumns.includes(column) ? undefined : value));
        return patternRows(this.#rows(given), key).map(row => ({ rule, match: [{ predicate: given, row }], height: 0, merges: [] }));
    }

    /** Where the facts of an aggregated predicate are kept apart from its groups. */
    #givenOf(predicate: Predicate): PredicateKey | undefined {
        const key = factsKey(predicate.key);
        if (!isAggregated(predicate) || this.#database.relation(key) === undefined) return undefined;
        this.#predicates.set(key, predicate);
        return key;
    }

    #origin(fact: FactRow): Origin | undefined {
        if (fact.row < 0) return undefined;
        return originOf(this.#predicate(fact.predicate), this.#rows(fact.predicate), fact.row);
    }

    #text(predicate: Predicate, values: readonly ValueId[]): string {
        return factText(this.#database.dictionary, predicate, values, this.#options.label);
    }

    #predicate(key: PredicateKey): Predicate {
        return this.#database.program.predicates.get(key) ?? this.#predicates.get(key)!;
    }

    #rows(key: PredicateKey): Rows {
        return this.#database.relation(key)!;
    }

    #height({ predicate, row }: FactRow): number {
        return this.#rows(predicate).notes?.heights?.[row] ?? 0;
    }

    #values({ predicate, row }: FactRow): ValueId[] {
        return this.#rows(predicate).columns.map(column => column[row]!);
    }
}

function isAggregated(predicate: Predicate): boolean {
    return predicate.aggregatedColumns.length > 0;
}

function isAggregating(rule: AnalysedRule): boolean {
    return rule.assignments.some(assignment => assignment.aggregates.length > 0);
}

/** The rule has an existential variable or a Skolem term. */
function makesNulls({ existential, heads, assignments }: AnalysedRule): boolean {
    const isAnonymous = heads.some(({ atom }) => atom.arguments.some(term => term.kind === 'anonymous'));
    return existential.length > 0 || isAnonymous || assignments.some(({ value }) => value.kind === 'skolem');
}

function inWords(absent: readonly string[]): { readonly absent?: readonly string[] } {
    return absent.length === 0 ? {} : { absent };
}

function factsOf(match: RuleMatch): string {
    return match.map(({ predicate, row }) => `${predicate}:${row}`).join();
}

/** Matches that differ in what their variables hold alone are one derivation. */
function different(candidates: readonly Candidate[]): Candidate[] {
    const name = ({ rule, match, group }: Candidate): string =>
        `${rule.index} ${[match, ...(group?.matches ?? [])].map(factsOf).join(' ')}`;
    return [...new Map([...candidates].reverse().map(one => [name(one), one])).values()].reverse();
}

function keyColumns(predicate: Predicate): Predicate['columns'] {
    return predicate.columns.filter((_, column) => !predicate.aggregatedColumns.includes(column));
}

/** The values of the head columns that do not depend on an aggregate. */
function groupPattern(rule: AnalysedRule, head: ResolvedAtom, values: readonly ValueId[]): HeadPattern {
    const dependent = new Set(
        rule.assignments.filter(assignment => assignment.afterAggregation).map(assignment => assignment.variable.name),
    );
    return head.atom.arguments.map((term, column) => (variablesOf(term).some(name => dependent.has(name)) ? undefined : values[column]));
}
