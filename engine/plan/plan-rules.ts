import type {
    AnalysedProgram,
    AnalysedRule,
    Literal,
    Predicate,
    PredicateKey,
    ResolvedAtom,
    Stratum,
} from '#language/program/analysed-program.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import { UNKNOWN } from '#language/program/types.ts';
import { type AggregateUse, addAggregates, aggregateSignature } from './aggregate-signature.ts';
import { callOf, type PlannedAsking } from './asked-queries.ts';
import { planContribution } from './contribution.ts';
import type { SwitchedOff } from './decisions.ts';
import { factsKey, hasFacts } from './facts-relation.ts';
import { inventionsOf, withNamedTerms } from './inventions.ts';
import { foldConstants } from './passes/constant-folding.ts';
import type { PlanContribution, PlanLevel, PlanLiteral, PlanOutput, PlanRelation, PlanRule } from './plan.ts';
import { readingAnswer } from './relation-call.ts';
import { groupsOfRule, groupsRelation } from './rule-groups.ts';
import { RuleParts } from './rule-parts.ts';

/** Relations that are computed together, and the rules that compute them. */
interface Layer {
    readonly relations: PredicateKey[];
    readonly rules: PlanRule[];
}

/**
 * The rules of a stratum in normal form, in layers: a layer is complete before the next one starts. A recursive stratum
 * is one layer, in which groups change until nothing changes.
 */
export function planStratumRules(
    program: AnalysedProgram,
    stratum: Stratum,
    relations: Map<PredicateKey, PlanRelation>,
    trees: ReadonlySet<PredicateKey>,
    disabled: SwitchedOff,
    { within, rules }: Pick<PlannedAsking, 'within' | 'rules'> = { within: [], rules: [] },
): Layer[] {
    const [first, ...others] = new StratumPlanner(program, stratum, relations, trees, disabled, within).layers();
    if (first === undefined || within.length === 0) return first === undefined ? others : [first, ...others];
    const inputs = within.flatMap(key => callOf(key, relations)?.input ?? []);
    return [{ relations: [...first.relations, ...inputs, ...within], rules: [...first.rules, ...rules] }, ...others];
}

class StratumPlanner {
    readonly #program: AnalysedProgram;
    readonly #stratum: Stratum;
    readonly #members: ReadonlySet<PredicateKey>;
    readonly #relations: Map<PredicateKey, PlanRelation>;
    /** The predicates whose facts belong to derivation trees. */
    readonly #trees: ReadonlySet<PredicateKey>;
    readonly #disabled: SwitchedOff;
    readonly #layers: ReadonlyMap<PlanLevel, Layer>;
    /** The relation whose groups take the contributions of a rule to a predicate; without an entry the rows are united. */
    readonly #targets = new Map<string, PredicateKey>();

    constructor(
        program: AnalysedProgram,
        stratum: Stratum,
        relations: Map<PredicateKey, PlanRelation>,
        trees: ReadonlySet<PredicateKey>,
        disabled: SwitchedOff,
        asked: readonly PredicateKey[],
    ) {
        this.#program = program;
        this.#stratum = stratum;
        this.#members = new Set([...stratum.predicates, ...asked]);
        this.#relations = relations;
        this.#trees = trees;
        this.#disabled = disabled;
        const layer = (): Layer => ({ relations: [], rules: [] });
        const one = layer();
        this.#layers = new Map<PlanLevel, Layer>([
            ['groups of a rule', stratum.recursive ? one : layer()],
            ['shared groups', stratum.recursive ? one : layer()],
            ['predicates', stratum.recursive ? one : layer()],
        ]);
    }

    layers(): Layer[] {
        const predicates = this.#stratum.predicates.flatMap(key => this.#program.predicates.get(key) ?? []);
        for (const predicate of predicates) this.#addPredicate(predicate);
        for (const index of this.#stratum.rules) {
            const rule = this.#program.rules[index];
            if (rule !== undefined) this.#addRule(withNamedTerms(readingAnswer(rule)));
        }
        return [...new Set(this.#layers.values())];
    }

    /** Decides whether the rows of a predicate are groups, and makes the relations that its rules contribute to. */
    #addPredicate(predicate: Predicate): void {
        const uses = predicate.rules.flatMap(index => this.#usesOf(index, predicate));
        const signatures = new Map<string, AggregateUse[]>();
        for (const use of uses) {
            if (use.signature === undefined) continue;
            signatures.set(use.signature, [...(signatures.get(use.signature) ?? []), use]);
        }
        const [first] = signatures.values();
        const isGroups =
            first !== undefined &&
            first.length === uses.length &&
            !first.some(use => use.largestOnly) &&
            (this.#sharesState(first) || hasFacts(predicate));
        const relation = {
            key: predicate.key,
            arity: predicate.arity,
            columns: predicate.columns,
            predicate,
            internal: false,
            level: 'predicates',
        } as const;
        if (isGroups) {
            this.#add('predicates', addAggregates(relation, first, this.#program));
            for (const use of first) this.#targets.set(targetName(use.rule, predicate.key), predicate.key);
            if (hasFacts(predicate)) this.#contributeFacts(predicate);
            return;
        }
        this.#add('predicates', relation);
        for (const [signature, shared] of signatures) {
            if (!this.#sharesState(shared)) continue;
            const key = sharedGroupsKey(predicate.key, signature);
            this.#add('shared groups', addAggregates({ ...relation, key, internal: true, level: 'shared groups' }, shared, this.#program));
            for (const use of shared) this.#targets.set(targetName(use.rule, predicate.key), key);
            this.#copy(key, predicate, shared[0]!.rule);
        }
    }

    /** Rules that contribute directly, or several groups that need a common state; one rule with a condition on its result needs none. */
    #sharesState(uses: readonly AggregateUse[]): boolean {
        const [first] = uses;
        if (first?.largestOnly) return uses.every(use => use.direct);
        return uses.length > 1 || first?.direct === true || first?.finer === true || this.#stratum.recursive;
    }

    #usesOf(index: number, predicate: Predicate): AggregateUse[] {
        const rule = this.#program.rules[index];
        if (rule === undefined) return [];
        return rule.heads.filter(head => head.predicate === predicate.key).map(head => aggregateSignature(rule, head));
    }

    #addRule(rule: AnalysedRule): void {
        const heads = rule.heads.filter(head => this.#members.has(head.predicate));
        if (!rule.assignments.some(assignment => assignment.aggregates.length > 0)) {
            const parts = this.#body(rule);
            this.#invent(rule, parts);
            this.#push('predicates', rule, parts, this.#outputs(rule, heads, parts), this.#parentOf(rule));
            return;
        }
        const [head] = heads;
        const target = head && this.#targets.get(targetName(rule, head.predicate));
        if (head !== undefined && target !== undefined && aggregateSignature(rule, head).direct) {
            this.#contributeDirectly(rule, head, target);
            return;
        }
        this.#readGroups(rule, heads);
    }

    /** The head's aggregated columns are the rule's aggregates. */
    #contributeDirectly(rule: AnalysedRule, head: ResolvedAtom, target: PredicateKey): void {
        const parts = this.#body(rule);
        this.#invent(rule, parts);
        const relation = this.#relation(target);
        const groups = relation.groups!;
        const keys = groups.keys.map(column => parts.valueOf(head.atom.arguments[column]!));
        const contributions = groups.aggregates.map(({ column }) => {
            const term = head.atom.arguments[column]!;
            const assignment = rule.assignments.find(one => term.kind === 'variable' && one.variable.name === term.name)!;
            return this.#contribution(assignment.aggregates[0]!, parts);
        });
        this.#push(relation.internal ? 'shared groups' : 'predicates', rule, parts, [
            { kind: 'contribute', relation: target, keys, contributions },
        ]);
    }

    /** The normal form of 5.2: groups of the rule's own, and a rule that reads them. */
    #readGroups(rule: AnalysedRule, heads: readonly ResolvedAtom[]): void {
        const parts = this.#body(rule);
        const reader = new RuleParts(this.#program, parts.types, '$$');
        const groups = groupsOfRule(rule, parts, reader);
        const { keys, keyVariables, aggregates, results, values, conditions, negations } = groups;
        const [serves = rule.literals[0]!] = heads;
        const key = internalKey(`groups of rule ${rule.index} for ${serves.predicate}`);
        const predicate = this.#program.predicates.get(serves.predicate)!;
        this.#add('groups of a rule', groupsRelation(key, predicate, rule, groups, parts, reader));
        const contributions = aggregates.map(aggregate => this.#contribution(aggregate, parts));
        this.#push('groups of a rule', rule, parts, [{ kind: 'contribute', relation: key, keys, contributions }]);

        reader.literalOf(key, [...keys, ...results], this.#stratum.recursive);
        reader.assignments.push(...values);
        reader.filters.push(...conditions);
        for (const negation of negations) this.#addLiteral(negation, reader, rule);
        this.#invent(rule, reader, keyVariables);
        const outputs = this.#outputs(rule, heads, reader, keyVariables);
        const shared = outputs.some(output => output.kind === 'contribute' && this.#relation(output.relation).internal);
        this.#push(shared ? 'shared groups' : 'predicates', rule, reader, outputs);
    }

    /** The literals, conditions and assignments that come before aggregation. */
    #body(rule: AnalysedRule): RuleParts {
        const parts = new RuleParts(this.#program, rule.types);
        for (const literal of rule.literals) if (!literal.afterAggregation) this.#addLiteral(literal, parts, rule, rule.constantsOnly);
        for (const condition of rule.conditions) if (!condition.afterAggregation) parts.filters.push(condition.expression);
        for (const { variable, value, afterAggregation } of rule.assignments) {
            if (!afterAggregation) parts.assignments.push(parts.definition(variable.name, value));
        }
        return parts;
    }

    #addLiteral({ predicate, negated, atom }: Literal, parts: RuleParts, { rule }: AnalysedRule, named = false): void {
        const arity = this.#program.predicates.get(predicate)?.arity ?? atom.arguments.length;
        parts.literal(
            predicate,
            negated,
            atom.arguments,
            arity,
            this.#stratum.recursive && this.#members.has(predicate),
            named && !negated,
            { atom, place: rule.place },
        );
    }

    /** Nulls for the existential variables of the heads, of all of them: the frontier is that of the whole rule. */
    #invent(rule: AnalysedRule, parts: RuleParts, keyVariables: ReadonlyMap<Expression, string> = new Map()): void {
        for (const { variable, source, frontier } of inventionsOf(rule)) {
            const names = frontier.map(term => keyVariables.get(term) ?? parts.valueOf(term));
            parts.types.set(variable, UNKNOWN);
            parts.inventions.push({ variable, source, frontier: names });
        }
    }

    /** The ward of the rule, or its only positive atom; no literal where all nulls are kept (D-29). */
    #parentOf(rule: AnalysedRule): number | undefined {
        if (rule.reads.length > 0 || !rule.heads.some(head => this.#trees.has(head.predicate))) return undefined;
        const positive = rule.literals.flatMap(({ negated }, index) => (negated ? [] : [index]));
        return positive.length === 1 ? positive[0] : this.#program.chase.rules[rule.index]?.ward;
    }

    #outputs(
        rule: AnalysedRule,
        heads: readonly ResolvedAtom[],
        parts: RuleParts,
        keyVariables: ReadonlyMap<Expression, string> = new Map(),
    ): PlanOutput[] {
        const { head } = rule.rule;
        if (head.kind === 'equality') {
            const right = keyVariables.get(head.right) ?? parts.valueOf(head.right);
            return [{ kind: 'match', relation: matchesKey(rule), terms: [head.left.name, right] }];
        }
        if (head.kind === 'falsity') return [{ kind: 'match', relation: matchesKey(rule), terms: parts.variables() }];
        return heads.map((head): PlanOutput => {
            const terms = head.atom.arguments.map(term => keyVariables.get(term) ?? parts.valueOf(term));
            const target = this.#targets.get(targetName(rule, head.predicate));
            if (target === undefined) return { kind: 'emit', relation: head.predicate, terms };
            const groups = this.#relation(target).groups!;
            const contributors = this.#contributorsOf(parts.literals);
            return {
                kind: 'contribute',
                relation: target,
                keys: groups.keys.map(column => terms[column]!),
                contributions: groups.aggregates.map(({ column }) => ({ value: terms[column]!, counts: 'value', contributors })),
            };
        });
    }

    #contribution(aggregate: Aggregate, parts: RuleParts): PlanContribution {
        return planContribution(aggregate, parts, this.#contributorsOf(parts.literals));
    }

    /**
     * Without a list of contributors each match is one. Its facts need no store where no match comes twice: where no
     * literal reads groups that still change.
     */
    #contributorsOf(literals: readonly PlanLiteral[]): 'each match' | 'facts of the match' {
        if (this.#disabled.has('contributor-elision')) return 'facts of the match';
        const repeats = literals.some(
            literal => !literal.negated && literal.recursive && this.#relations.get(literal.relation)?.groups !== undefined,
        );
        return repeats ? 'facts of the match' : 'each match';
    }

    /** Facts and source rows of a predicate whose rows are groups are contributions, each one for itself. */
    #contributeFacts(predicate: Predicate): void {
        const base = factsKey(predicate.key);
        const { key, arity, columns } = predicate;
        this.#relations.set(base, { key: base, arity, columns, predicate, internal: true, level: 'groups of a rule' });
        const parts = new RuleParts(this.#program, new Map());
        const variables = columns.map(column => parts.fresh(column.type));
        parts.literalOf(base, variables, false);
        const groups = this.#relation(key).groups!;
        const output: PlanOutput = {
            kind: 'contribute',
            relation: key,
            keys: groups.keys.map(column => variables[column]!),
            contributions: groups.aggregates.map(({ column }) => ({
                value: variables[column]!,
                counts: 'value',
                contributors: 'each match',
            })),
        };
        const [aggregate] = groups.aggregates;
        this.#pushRule('predicates', undefined, { place: aggregate!.place, span: aggregate!.span }, parts, [output]);
    }

    /** The rows of the shared groups are rows of the predicate. */
    #copy(from: PredicateKey, predicate: Predicate, rule: AnalysedRule): void {
        const parts = new RuleParts(this.#program, new Map());
        const variables = predicate.columns.map(column => parts.fresh(column.type));
        parts.literalOf(from, variables, this.#stratum.recursive);
        this.#push('predicates', rule, parts, [{ kind: 'emit', relation: predicate.key, terms: variables }]);
    }

    #push(level: PlanLevel, rule: AnalysedRule, parts: RuleParts, outputs: readonly PlanOutput[], parent?: number): void {
        this.#pushRule(level, rule, rule.rule, parts, outputs, parent);
    }

    #pushRule(
        level: PlanLevel,
        source: AnalysedRule | undefined,
        where: Pick<PlanRule, 'place' | 'span'>,
        parts: RuleParts,
        outputs: readonly PlanOutput[],
        parent?: number,
    ): void {
        const rule = parts.rule(source, where, outputs, parent);
        const isFolded = !this.#disabled.has('constant-folding');
        this.#layer(level).rules.push(isFolded ? foldConstants(rule, expression => parts.typeOf(expression)) : rule);
    }

    #add(level: PlanLevel, relation: PlanRelation): void {
        this.#relations.set(relation.key, relation);
        this.#layer(level).relations.push(relation.key);
    }

    #layer(level: PlanLevel): Layer {
        return this.#layers.get(level)!;
    }

    #relation(key: PredicateKey): PlanRelation {
        return this.#relations.get(key)!;
    }
}

/** The internal relation that holds the groups of rules with one signature, where other rows are united with them. */
export function sharedGroupsKey(predicate: PredicateKey, signature: string): PredicateKey {
    return internalKey(`groups of ${predicate} (${signature})`);
}

/** Stands for the matches of an equality head or a constraint. */
function matchesKey(rule: AnalysedRule): PredicateKey {
    return internalKey(`matches of rule ${rule.index}`);
}

/** No predicate has a name with a blank. */
function internalKey(words: string): PredicateKey {
    return words as PredicateKey;
}

function targetName(rule: AnalysedRule, predicate: PredicateKey): string {
    return `${rule.index} ${predicate}`;
}
