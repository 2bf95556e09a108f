import { shown } from '#engine/evaluate/expression-site.ts';
import type { Evaluate } from '#engine/evaluate/scope.ts';
import { report } from '#engine/reports/reports.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { PredicateKey, ResolvedAtom, Stratum } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import { join, type Type, UNKNOWN } from '#language/program/types.ts';
import type { AggregateSite } from './combine.ts';
import type { NaiveChase } from './naive-chase.ts';
import { attempt, type Failed, judge, without } from './naive-failures.ts';
import { NaiveGroups } from './naive-groups.ts';
import { aggregatedColumns, contributionOf, isDirect, signatureOf, siteOf } from './naive-heads.ts';
import { type NaiveNulls, naiveNulls } from './naive-nulls.ts';
import { NaiveRelation, type Tuple, tupleKey } from './naive-relation.ts';
import type { Match, NaiveRule } from './naive-rule.ts';

/** What a stratum needs of the run. */
export interface StratumContext {
    readonly relations: ReadonlyMap<PredicateKey, NaiveRelation>;
    /** Facts and source rows. */
    readonly base: ReadonlyMap<PredicateKey, readonly Tuple[]>;
    readonly maxRounds: number;
    /** Where the isomorphism test applies. */
    readonly chase?: NaiveChase;
    /** Casts a value to the type of the column, where that is fixed. */
    cast(predicate: PredicateKey, column: number, value: ValueId, from: Type): ValueId;
    /** Called after every round with the number of the round. */
    checkpoint(round: number): void;
}

/** Groups that all rules of one signature for one predicate share. */
interface Shared {
    readonly columns: readonly number[];
    readonly groups: NaiveGroups;
}

/** The part of the state that is made anew to see whether final values stay what they are. */
interface GroupState {
    /** By predicate, then by signature. */
    readonly shared: ReadonlyMap<PredicateKey, ReadonlyMap<string, Shared>>;
    /** The groups of the rules that are split in two. */
    readonly own: ReadonlyMap<NaiveRule, NaiveGroups>;
}

/** One rule, compiled. */
interface Working {
    readonly rule: NaiveRule;
    readonly heads: readonly Head[];
    readonly aggregates: readonly Aggregate[];
    readonly direct: boolean;
    readonly nulls: NaiveNulls;
    /** What the groups of a rule that is split in two are named by. */
    readonly keys: readonly Evaluate[];
    /** One match for each of its groups, by the text of the key. */
    readonly representatives: Map<string, Int32Array>;
    /** Head tuples that hold a null made for the match or group are made once. */
    readonly made: Map<string, Tuple>;
}

interface Head {
    readonly atom: ResolvedAtom;
    readonly terms: readonly Evaluate[];
    readonly types: readonly Type[];
    readonly signature: string;
    readonly columns: ReadonlyMap<number, Aggregate>;
}

/** One stratum: all rules over all facts, again and again, until nothing changes. */
export class NaiveStratum {
    readonly #stratum: Stratum;
    readonly #context: StratumContext;
    readonly #rules: readonly Working[];
    readonly #members: ReadonlySet<PredicateKey>;
    /** Rows that rules add one by one. */
    readonly #plain: ReadonlyMap<PredicateKey, NaiveRelation>;
    #state: GroupState;

    constructor(stratum: Stratum, rules: readonly NaiveRule[], context: StratumContext) {
        this.#stratum = stratum;
        this.#context = context;
        this.#members = new Set(stratum.predicates);
        this.#rules = rules.map(rule => this.#compile(rule));
        this.#plain = new Map(stratum.predicates.map(key => [key, new NaiveRelation(context.relations.get(key)!.arity)]));
        this.#state = this.#emptyState();
    }

    run(): void {
        const { chase, relations } = this.#context;
        chase?.begin();
        for (const key of this.#stratum.predicates) chase?.endRound(key, relations.get(key)!.tuples);
        chase?.nextRound();
        this.#iterate();
        if (!this.#stratum.recursive || !this.#hasGroups()) return;
        chase?.beginAgain();
        for (const relation of this.#plain.values()) relation.replace([]);
        this.#refresh();
        chase?.nextRound();
        this.#iterate(this.#state);
        this.#compareWithFinalValues();
    }

    /** Brings single rows up to date with what their nulls were replaced by; the rows stay, whatever derived them (4.8). */
    rewrite(resolve: (value: ValueId) => ValueId): void {
        for (const relation of this.#plain.values()) relation.replace(relation.tuples.map(tuple => tuple.map(resolve)));
    }

    /** Says of which rules and predicates some groups have no row, as no known value was contributed (RT052). */
    reportIncomplete(): void {
        for (const working of this.#rules) {
            const shared = working.heads.map(({ atom, signature }) => this.#state.shared.get(atom.predicate)!.get(signature)?.groups);
            if (![this.#state.own.get(working.rule), ...shared].some(groups => groups?.isIncomplete)) continue;
            const { place, span } = working.rule.rule.rule;
            working.rule.scope.report(report('RT052', { location: { place, span } }, 'an aggregate', undefined, 1, undefined));
        }
    }

    /** Forgets everything that was derived. */
    reset(): void {
        this.#context.chase?.forget(this.#members);
        for (const relation of this.#plain.values()) relation.replace([]);
        for (const { representatives } of this.#rules) representatives.clear();
        this.#state = this.#emptyState();
        this.#refresh();
    }

    /** Rounds until nothing changes; with `frozen`, groups keep their values and only single rows are derived. */
    #iterate(frozen?: GroupState): void {
        for (let round = 1; ; round++) {
            for (const working of this.#rules) this.#apply(working, frozen);
            const changed = this.#refresh();
            this.#context.chase?.nextRound();
            this.#context.checkpoint(round);
            if (!changed) return;
        }
    }

    /** Brings the relations up to date with the rows and groups; true when one changed. */
    #refresh(): boolean {
        const { chase } = this.#context;
        for (const { predicate, tuple } of chase?.settle() ?? []) this.#plain.get(predicate)!.add(tuple);
        const changes = this.#stratum.predicates.map(key => {
            const tuples: Tuple[] = this.#contributesBase(key) ? [] : [...(this.#context.base.get(key) ?? [])];
            tuples.push(...this.#plain.get(key)!.tuples);
            for (const shared of this.#state.shared.get(key)!.values()) tuples.push(...this.#rowsOf(key, shared));
            chase?.endRound(key, tuples);
            return this.#context.relations.get(key)!.replace(tuples);
        });
        return changes.includes(true);
    }

    #rowsOf(predicate: PredicateKey, { columns, groups }: Shared): Tuple[] {
        return groups.values().map(({ key, results }) => {
            const row = [...key];
            for (const [i, column] of columns.entries()) {
                row.splice(column, 0, this.#context.cast(predicate, column, results[i]!, groups.sites[i]!.type));
            }
            return row;
        });
    }

    #apply(working: Working, frozen: GroupState | undefined): void {
        const { rule, aggregates, direct, heads } = working;
        if (aggregates.length === 0) {
            for (const match of rule.matches()) {
                for (const head of heads) this.#emit(working, head, match.registers, this.#identity(rule, match), frozen, match);
            }
        } else if (direct) {
            if (frozen === undefined) this.#contributeDirectly(working, heads[0]!, this.#state);
        } else {
            if (frozen === undefined) this.#contributeToOwn(working, this.#state);
            this.#readOwn(working, frozen);
        }
    }

    #contributeDirectly(working: Working, head: Head, state: GroupState): void {
        const { rule } = working;
        const { groups, columns } = state.shared.get(head.atom.predicate)!.get(head.signature)!;
        const contributions = columns.map(column => contributionOf(rule, head.columns.get(column)!, match => this.#identity(rule, match)));
        for (const match of rule.matches()) {
            const key = this.#tuple(head, working.nulls.invent(match.registers)).filter((_, column) => !columns.includes(column));
            for (const [i, { value, contributor }] of contributions.entries()) groups.contribute(key, i, contributor(match), value(match));
        }
    }

    #contributeToOwn({ rule, aggregates, keys, representatives }: Working, state: GroupState): void {
        const groups = state.own.get(rule)!;
        const contributions = aggregates.map(aggregate => contributionOf(rule, aggregate, match => this.#identity(rule, match)));
        for (const match of rule.matches()) {
            const key = keys.map(value => value(match.registers));
            const text = tupleKey(key);
            if (!representatives.has(text)) representatives.set(text, match.registers);
            for (const [i, { value, contributor }] of contributions.entries()) groups.contribute(key, i, contributor(match), value(match));
        }
    }

    /** The second rule of the normal form: from groups, conditions on their values, to the heads. */
    #readOwn(working: Working, frozen: GroupState | undefined): void {
        const { rule, aggregates, heads, representatives } = working;
        const after = rule.rule.assignments.filter(one => one.afterAggregation);
        const values = after.map(({ variable: { name }, value }) => ({
            name,
            needs: variablesOf(value),
            slot: rule.slot(name),
            valuesOf: rule.compileValues(value),
        }));
        const conditions = rule.rule.conditions.filter(one => one.afterAggregation).map(one => rule.compileTest(one.expression));
        const state = frozen ?? this.#state;
        for (const { key, results } of state.own.get(rule)!.values()) {
            const registers = Int32Array.from(representatives.get(tupleKey(key))!);
            for (const [i, aggregate] of aggregates.entries()) registers[rule.aggregateSlot(aggregate)] = results[i]!;
            const assign = (index: number, before: Failed | undefined): void => {
                const next = values[index];
                if (next === undefined) {
                    const { holds, failed } = judge(conditions, registers, before);
                    if (!holds || !rule.negationsHoldAfter(registers, failed)) return;
                    if (rule.rule.constantsOnly && values.some(({ slot }) => rule.scope.dictionary.isNull(registers[slot]!))) return;
                    if (failed !== undefined) throw failed.first;
                    for (const head of heads) this.#emit(working, head, registers, `group ${tupleKey(key)}`, frozen);
                    return;
                }
                const result = attempt(next.needs, before, () => next.valuesOf(registers));
                if ('failed' in result) {
                    assign(index + 1, without(result.failed, next.name));
                    return;
                }
                for (const value of result.value) {
                    registers[next.slot] = value;
                    assign(index + 1, before);
                }
            };
            assign(0, undefined);
        }
    }

    #emit(working: Working, head: Head, matched: Int32Array, identity: string, frozen: GroupState | undefined, match?: Match): void {
        const registers = working.nulls.invent(matched);
        const made = `${working.heads.indexOf(head)} ${identity} ${registers.join()}`;
        const tuple = working.made.get(made) ?? this.#tuple(head, registers);
        working.made.set(made, tuple);
        const shared = this.#state.shared.get(head.atom.predicate)!.get(head.signature);
        if (shared === undefined) {
            if (this.#context.chase === undefined) this.#plain.get(head.atom.predicate)!.add(tuple);
            else this.#context.chase.offer(head.atom.predicate, tuple, working.rule, match);
        } else if (frozen === undefined) {
            this.#contributeTuple(shared, tuple, `${working.rule.rule.index}/${identity}`);
        }
    }

    #contributeTuple({ groups, columns }: Shared, tuple: Tuple, contributor: string): void {
        const key = tuple.filter((_, column) => !columns.includes(column));
        for (const [i, column] of columns.entries()) groups.contribute(key, i, contributor, tuple[column]!);
    }

    /** The head's values, cast but for the columns that contributions go to. */
    #tuple(head: Head, registers: Int32Array): Tuple {
        return head.terms.map((term, column) => {
            const value = term(registers);
            return head.columns.has(column) ? value : this.#context.cast(head.atom.predicate, column, value, head.types[column]!);
        });
    }

    /** Names a match by its facts, without the columns whose values the recursion still changes (5.5.2), and by its exploded elements. */
    #identity(rule: NaiveRule, match: Match): string {
        const facts = match.facts.map((fact, i) => {
            const changing = this.#changingColumns(rule.positive[i]!.predicate);
            return tupleKey(fact.filter((_, column) => !changing.has(column)));
        });
        return [...facts, ...match.positions].join(';');
    }

    #changingColumns(predicate: PredicateKey): ReadonlySet<number> {
        if (!this.#stratum.recursive || !this.#members.has(predicate) || !this.#isGroups(predicate)) return new Set();
        return new Set([...this.#state.shared.get(predicate)!.values()].flatMap(shared => shared.columns));
    }

    /** True when the rows of the predicate are groups and nothing else. */
    #isGroups(predicate: PredicateKey): boolean {
        const heads = this.#rules.flatMap(working => working.heads).filter(head => head.atom.predicate === predicate);
        return heads.length > 0 && heads.every(head => head.signature !== '' && head.signature === heads[0]!.signature);
    }

    #contributesBase(predicate: PredicateKey): boolean {
        return this.#isGroups(predicate) && [...this.#state.shared.get(predicate)!.values()].every(shared => !ranksGroups(shared));
    }

    #hasGroups(): boolean {
        return this.#state.own.size > 0 || [...this.#state.shared.values()].some(shared => shared.size > 0);
    }

    /** Contributes everything once more, from the final facts only; another value means that the data are not monotone. */
    #compareWithFinalValues(): void {
        const final = this.#state;
        this.#state = this.#emptyState();
        for (const working of this.#rules) this.#apply(working, undefined);
        for (const [key, bySignature] of final.shared) {
            for (const [signature, shared] of bySignature) {
                const again = new Set(this.#rowsOf(key, this.#state.shared.get(key)!.get(signature)!).map(tupleKey));
                const changed = this.#rowsOf(key, shared).find(row => !again.has(tupleKey(row)));
                if (changed !== undefined) this.#reportNotMonotone(key);
            }
        }
        this.#state = final;
    }

    #reportNotMonotone(predicate: PredicateKey): void {
        const working = this.#rules.find(({ heads }) => heads.some(head => head.atom.predicate === predicate))!;
        const { place, span } = working.rule.rule.rule;
        working.rule.scope.report(report('RT050', { location: { place, span } }, predicate, 'one of its groups'));
    }

    #emptyState(): GroupState {
        const shared = new Map(this.#stratum.predicates.map(key => [key, new Map<string, Shared>()]));
        const own = new Map<NaiveRule, NaiveGroups>();
        for (const { rule, heads, aggregates, direct } of this.#rules) {
            const ownSites = aggregates.map(aggregate => siteOf(rule, aggregate));
            if (aggregates.length > 0 && !direct) own.set(rule, this.#groups(rule, ownSites));
            for (const { atom, signature, columns } of heads) {
                const ofPredicate = shared.get(atom.predicate)!;
                if (signature === '' || ofPredicate.has(signature)) continue;
                const sites = [...columns].map(([column, aggregate]) => ({
                    ...siteOf(rule, aggregate),
                    type: this.#typeOf(atom.predicate, signature, column),
                }));
                ofPredicate.set(signature, { columns: [...columns.keys()], groups: this.#groups(rule, sites) });
            }
        }
        this.#contributeBase(shared);
        return { shared, own };
    }

    /** The type of what all rules that share the groups aggregate in the column. */
    #typeOf(predicate: PredicateKey, signature: string, column: number): Type {
        const types = this.#rules.flatMap(({ rule, heads }) =>
            heads
                .filter(head => head.atom.predicate === predicate && head.signature === signature)
                .map(head => siteOf(rule, head.columns.get(column)!).type),
        );
        return types.reduce(join, UNKNOWN);
    }

    #groups(rule: NaiveRule, sites: readonly AggregateSite[]): NaiveGroups {
        const { dictionary, report: add } = rule.scope;
        if (!this.#stratum.recursive) return new NaiveGroups(sites, dictionary);
        return new NaiveGroups(sites, dictionary, ({ name, context }, value) =>
            add(report('RT051', context, name, shown(dictionary, value))),
        );
    }

    /** Facts and source rows of a predicate whose rows are groups are contributions (RL3021). */
    #contributeBase(shared: ReadonlyMap<PredicateKey, ReadonlyMap<string, Shared>>): void {
        for (const [key, bySignature] of shared) {
            if (!this.#isGroups(key)) continue;
            for (const groups of bySignature.values()) {
                if (ranksGroups(groups)) continue;
                for (const tuple of this.#context.base.get(key) ?? []) this.#contributeTuple(groups, tuple, `fact/${tupleKey(tuple)}`);
            }
        }
    }

    #compile(rule: NaiveRule): Working {
        const { assignments, heads, conditions } = rule.rule;
        const aggregates = assignments.flatMap(one => [...one.aggregates]);
        const direct = isDirect(rule);
        for (const aggregate of aggregates) rule.aggregateSlot(aggregate);
        const nulls = naiveNulls(rule);
        const after = [
            ...assignments.filter(one => one.afterAggregation).map(one => one.value),
            ...conditions.filter(one => one.afterAggregation).map(one => one.expression),
        ];
        const negations = rule.rule.literals.filter(literal => literal.afterAggregation);
        const keyTerms: Expression[] = [
            ...nulls.heads.flat().flatMap(term => (this.#isKey(rule, term) ? [term] : this.#keyVariables(rule, term))),
            ...after.flatMap(expression => this.#keyVariables(rule, expression)),
            ...negations
                .flatMap(({ atom }) => atom.arguments.flatMap(term => this.#keyVariables(rule, term)))
                .filter(term => term.kind === 'variable' && rule.rule.bound.has(term.name)),
        ];
        return {
            rule,
            aggregates,
            direct,
            heads: heads.flatMap((atom, i) =>
                this.#members.has(atom.predicate) ? [this.#compileHead(rule, atom, nulls.heads[i]!, direct)] : [],
            ),
            nulls,
            keys: direct ? [] : keyTerms.map(term => rule.compile(term)),
            representatives: new Map(),
            made: new Map(),
        };
    }

    /** Variables outside aggregates that an expression over aggregates uses: they belong to the key. */
    #keyVariables(rule: NaiveRule, expression: Expression): Expression[] {
        if (expression.kind === 'aggregate') return [];
        if (expression.kind === 'variable') {
            return rule.dependent.has(expression.name) || !rule.rule.bound.has(expression.name) ? [] : [expression];
        }
        const parts =
            expression.kind === 'binary' ? [expression.left, expression.right] : 'operand' in expression ? [expression.operand] : [];
        const others = 'arguments' in expression ? expression.arguments : 'items' in expression ? expression.items : parts;
        return others.flatMap(part => this.#keyVariables(rule, part));
    }

    /** A head term whose value is part of the name of a group. */
    #isKey(rule: NaiveRule, term: Expression): boolean {
        return !rule.dependsOnAggregate(term) && variablesOf(term).every(name => rule.rule.bound.has(name));
    }

    #compileHead(rule: NaiveRule, atom: ResolvedAtom, terms: readonly Expression[], direct: boolean): Head {
        const columns = aggregatedColumns(rule, atom);
        const ranks = [...columns.values()].some(aggregate => aggregate.name === 'maxcount');
        const shares = columns.size > 0 && (direct || !ranks);
        return {
            atom,
            terms: terms.map(term => rule.compile(term)),
            types: terms.map(term => rule.typeOf(term)),
            signature: shares ? `${signatureOf(columns)}${ranks ? ` of rule ${rule.rule.index}` : ''}` : '',
            columns: shares ? columns : new Map(),
        };
    }
}

/** `maxcount` compares the groups of one rule; nothing else takes part. */
function ranksGroups(shared: Shared): boolean {
    return shared.groups.sites.some(site => site.name === 'maxcount');
}
