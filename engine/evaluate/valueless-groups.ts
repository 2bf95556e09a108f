import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { ClausePlace, Location } from '#language/program/span.ts';
import type { PlanGroups, PlanRelation, PlanRule } from '../plan/plan.ts';
import { Relation } from '../relations/relation.ts';
import { type Report, report } from '../reports/reports.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { Memory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import { shown } from './expression-site.ts';

/** Groups without a row: what the matches of one rule give to one of its aggregates is unknown in all of them (5.2). */
export interface ValuelessGroups {
    /** The place of the aggregate. */
    readonly location: Location;
    /** The key of the first one. */
    readonly group: readonly ValueId[];
    readonly count: number;
}

/** Groups of a relation without a row when its groups are finished. */
export interface LeftOut {
    /** By aggregate. */
    readonly found: readonly ValuelessGroups[];
    /** The keys of all of them. */
    readonly keys?: Relation;
}

/** Hears of a relation whenever its groups are finished; `among` are the keys that were looked at, where these are not all. */
export type TellValueless = (relation: PlanRelation, leftOut: LeftOut, among?: Relation) => void;

/** Notes the groups of one relation to which matches give nothing, and counts those that get no row from other matches either. */
export class GroupsLeftOut implements LeftOut {
    readonly #relation: PlanRelation;
    readonly #groups: PlanGroups;
    readonly #memory: Memory;
    readonly keys: Relation;
    readonly #noted = new Map<ClausePlace, { readonly rule: PlanRule; readonly keys: Relation }>();
    readonly #found = new Map<string, { readonly location: Location; readonly group: readonly ValueId[]; count: number }>();

    constructor(relation: PlanRelation, groups: PlanGroups, memory: Memory) {
        this.#relation = relation;
        this.#groups = groups;
        this.#memory = memory;
        this.keys = new Relation(groups.keys.length, memory);
    }

    get found(): readonly ValuelessGroups[] {
        return [...this.#found.values()];
    }

    /** A match of a rule gives nothing to the group with this key. */
    note(rule: PlanRule, key: ArrayLike<ValueId>): void {
        let noted = this.#noted.get(rule.place);
        if (noted === undefined) {
            noted = { rule, keys: new Relation(key.length, this.#memory) };
            this.#noted.set(rule.place, noted);
        }
        noted.keys.add(key);
    }

    /** Counts the noted groups that are not among these, and forgets the others. */
    settle(groups: Relation): void {
        for (const { rule, keys } of this.#noted.values()) {
            for (let row = 0; row < keys.count; row++) {
                const key = keys.columns.map(column => column[row]!);
                if (groups.findKey(key) < 0) this.#count(this.#firstAggregateOf(rule), key);
            }
            keys.dispose();
        }
        this.#noted.clear();
    }

    /** A group has a value of some aggregates, and none of this one. */
    countIncomplete(aggregate: number, key: readonly ValueId[]): void {
        this.#count(this.#groups.aggregates[aggregate]!, key);
    }

    #count({ place, span }: Location, group: readonly ValueId[]): void {
        this.keys.add(group);
        const name = `${place.file} ${place.offset} ${span.start}`;
        const found = this.#found.get(name);
        if (found === undefined) this.#found.set(name, { location: { place, span }, group, count: 1 });
        else found.count++;
    }

    /** Rules that share their groups have aggregates of their own. */
    #firstAggregateOf({ source, place, span }: PlanRule): Location {
        const first = this.#groups.aggregates[0]!;
        if (first.place === place) return first;
        const head = source?.heads.find(({ predicate }) => predicate === this.#relation.predicate.key);
        const term = head?.atom.arguments[first.column];
        const assignment = source?.assignments.find(({ variable }) => term?.kind === 'variable' && variable.name === term.name);
        return { place, span: assignment?.aggregates[0]?.span ?? span };
    }
}

/** Collects the groups that the relations of a run left out in the end. */
export class ValuelessReports {
    readonly #program: AnalysedProgram;
    readonly #dictionary: Dictionary;
    readonly #found = new Map<PredicateKey, { readonly relation: PlanRelation; readonly leftOut: LeftOut }>();

    constructor(program: AnalysedProgram, dictionary: Dictionary) {
        this.#program = program;
        this.#dictionary = dictionary;
    }

    /** A relation that is evaluated again has what it leaves out then. */
    readonly tell: TellValueless = (relation, leftOut) => {
        if (leftOut.found.length > 0) this.#found.set(relation.key, { relation, leftOut });
        else this.#found.delete(relation.key);
    };

    /** The keys of groups without a row, by relation. */
    get keys(): ReadonlyMap<PredicateKey, Relation> {
        return new Map([...this.#found].flatMap(([key, { leftOut }]) => (leftOut.keys === undefined ? [] : [[key, leftOut.keys]])));
    }

    /** One RT052 for each aggregate. */
    reports(): Report[] {
        return [...this.#found.values()].flatMap(({ relation, leftOut }) => leftOut.found.map(one => this.#report(relation, one)));
    }

    #report({ predicate, columns, groups }: PlanRelation, { location, group, count }: ValuelessGroups): Report {
        const rule = this.#program.rules.find(one => one.rule.place === location.place);
        const aggregates = rule?.assignments.flatMap(one => one.aggregates) ?? [];
        const aggregate = aggregates.find(({ span }) => span.start === location.span.start);
        const name = groups!.aggregates[0]!.name;
        const values = group.map((value, i) => shown(this.#dictionary, value, columns[groups!.keys[i]!]!.type));
        return report(
            'RT052',
            { location },
            aggregate === undefined ? name : printExpression(aggregate),
            rule !== undefined && rule.heads.length === 0 ? undefined : predicate.name,
            count,
            values.length === 0 ? undefined : `(${values.join(', ')})`,
        );
    }
}
