import type { PredicateKey } from '#language/program/analysed-program.ts';
import { compileVariant } from '../evaluate/compile-rule.ts';
import { newGroups, plannerInput, type RunContext, relationOf } from '../evaluate/run-context.ts';
import type { PlanLiteral, PlanRelation, PlanRule } from '../plan/plan.ts';
import { planVariant } from '../plan/planner.ts';
import { Relation } from '../relations/relation.ts';
import { ChangedRows, type Changes, noteChange, startingRows, withRemoved } from './changes.ts';
import {
    boundTerms,
    type FoundHead,
    headsOf,
    openWindows,
    type RuleStart,
    relationsRead,
    type StartKind,
    startFrom,
} from './rule-starts.ts';

/** Groups that no recursion goes through: each one whose contributions change is computed from all of them again. */
export class GroupedRows {
    readonly #key: PredicateKey;
    readonly #rules: readonly PlanRule[];
    readonly #run: RunContext;
    readonly #plan: PlanRelation;
    readonly #starts = new Map<string, RuleStart>();
    #changed: ChangedRows;
    #told: FoundHead = () => undefined;

    /** `plan` is that of the relation with its groups, which it has not in the plan of `run`. */
    constructor(plan: PlanRelation, rules: readonly PlanRule[], run: RunContext) {
        this.#key = plan.key;
        this.#plan = plan;
        this.#rules = rules;
        this.#run = run;
        this.#changed = new ChangedRows(relationOf(run, plan.key));
    }

    update(changes: Changes): boolean {
        const relation = relationOf(this.#run, this.#key);
        this.#changed = new ChangedRows(relation);
        const touched = new Relation(this.#plan.groups!.keys.length, this.#run.memory);
        this.#told = (_, values) => {
            touched.add(values);
        };
        withRemoved(changes, this.#run.relations, () => this.#runStarts(changes, 'loss'));
        this.#runStarts(changes, 'gain');
        if (touched.count > 0) this.#replace(relation, touched, this.#computed(touched));
        touched.dispose();
        noteChange(this.#key, this.#changed, changes);
        return true;
    }

    undo(): void {
        this.#changed.undo();
    }

    #runStarts(changes: Changes, kind: StartKind): void {
        for (const [index, rule] of this.#rules.entries()) {
            for (const [at, { relation: key, negated }] of rule.literals.entries()) {
                const rows = startingRows(changes.get(key), negated, kind);
                if (rows.length === 0) continue;
                const name = `${kind} ${index} ${at}`;
                const start =
                    this.#starts.get(name) ??
                    startFrom(rule, at, kind, this.#run, (output, values, found) => this.#told(output, values, found));
                this.#starts.set(name, start);
                openWindows(relationsRead(this.#rules, this.#run));
                start.run(relationOf(this.#run, key), rows);
            }
        }
    }

    /** The groups with these keys, and perhaps others. */
    #computed(touched: Relation): Relation {
        const { keys } = this.#plan.groups!;
        const relations = new Map([...this.#run.plan.relations, [this.#key, this.#plan]]);
        const groupsOfTouched = new Map<PredicateKey, ReturnType<typeof newGroups>>();
        const run: RunContext = {
            ...this.#run,
            plan: { ...this.#run.plan, relations },
            groups: groupsOfTouched,
            valueless: (relation, leftOut) => this.#run.valueless(relation, leftOut, touched),
            relations: new Map(this.#run.relations),
        };
        const groups = newGroups(run, this.#key, new Relation(this.#plan.arity, run.memory, keys));
        groupsOfTouched.set(this.#key, groups);
        for (const [index, rule] of this.#rules.entries()) {
            const restricted = this.#restricted(rule, touched, index, run, relations);
            const delta = restricted === rule ? undefined : rule.literals.length;
            const variant = { ...planVariant(restricted, delta, plannerInput(run)), execution: { kind: 'rows' as const } };
            const go = compileVariant(variant, `groups ${index}`, false, run);
            openWindows(relationsRead([restricted], run));
            go();
        }
        groups.endRound(undefined);
        groups.finish();
        return groups.relation;
    }

    /** The rule for groups with some of these keys: each match is found once. */
    #restricted(rule: PlanRule, touched: Relation, index: number, run: RunContext, relations: Map<PredicateKey, PlanRelation>): PlanRule {
        const bound = boundTerms(rule, headsOf(rule)[0]!);
        const columns = [...bound.keys()].filter(column => bound[column]!.kind === 'variable');
        if (columns.length === 0) return rule;
        const key = `keys ${index} of ${this.#key}` as PredicateKey;
        const asked = new Relation(columns.length, run.memory);
        const values = new Int32Array(columns.length);
        for (let row = 0; row < touched.count; row++) {
            for (const [at, column] of columns.entries()) values[at] = touched.columns[column]![row]!;
            asked.add(values);
        }
        relations.set(key, {
            key,
            arity: columns.length,
            columns: columns.map(column => this.#plan.columns[this.#plan.groups!.keys[column]!]!),
            predicate: this.#plan.predicate,
            internal: true,
            level: 'predicates',
        });
        run.relations.set(key, asked);
        const literal: PlanLiteral = { relation: key, negated: false, recursive: false, terms: columns.map(column => bound[column]!) };
        return { ...rule, literals: [...rule.literals, literal] };
    }

    /** Puts the rows of groups that were computed in the place of those that are there. */
    #replace(relation: Relation, touched: Relation, computed: Relation): void {
        const { keys } = this.#plan.groups!;
        const key = new Int32Array(keys.length);
        const row = new Int32Array(this.#plan.arity);
        for (let index = 0; index < touched.count; index++) {
            for (let i = 0; i < key.length; i++) key[i] = touched.columns[i]![index]!;
            const found = computed.findKey(key);
            let isThere = false;
            relation.match(keys, key, old => {
                if (relation.isGone(old)) return;
                if (found >= 0 && relation.columns.every((column, i) => column[old] === computed.columns[i]![found])) isThere = true;
                else this.#changed.take(old);
            });
            if (found < 0 || isThere) continue;
            for (let column = 0; column < row.length; column++) row[column] = computed.columns[column]![found]!;
            this.#changed.give(row);
        }
        relation.extendIndexes(relation.count);
        computed.dispose();
    }
}
