import type { PredicateKey } from '#language/program/analysed-program.ts';
import { type RunContext, relationOf } from '../evaluate/run-context.ts';
import { isInParts, type Plan, type PlanOutput, type PlanRule, type PlanStratum } from '../plan/plan.ts';
import { Relation } from '../relations/relation.ts';
import { type ChangedRows, type Changes, withRemoved } from './changes.ts';
import { evaluateFresh, follow } from './fresh-rows.ts';
import { openWindows, type RuleStart, relationsRead, startFrom } from './rule-starts.ts';

/** Of so many parts of a hundred a change may concern one; where it is more, all of them are evaluated at once. */
const MOST_PARTS = 30;

/**
 * A recursion through groups that is evaluated in parts: what follows for one value of the column that passes through has nothing to do with
 * what follows for another, so that only parts are evaluated again in which a derivation comes or goes.
 */
export class PartedRows {
    readonly #stratum: PlanStratum;
    readonly #plan: Plan;
    readonly #run: RunContext;
    readonly #starts = new Map<string, RuleStart>();
    #affected: Relation;
    #changed: ChangedRows[] = [];

    /** `plan` is the plan within the stratum. */
    constructor(stratum: PlanStratum, plan: Plan, run: RunContext) {
        this.#stratum = stratum;
        this.#plan = plan;
        this.#run = run;
        this.#affected = new Relation(1, run.memory);
    }

    /** False where so many parts change that all had better be evaluated again. */
    update(changes: Changes): boolean {
        const { execution, relations } = this.#stratum;
        if (!isInParts(execution)) throw new Error('A stratum in parts');
        const { parts } = execution;
        this.#changed = [];
        this.#affected.truncate(0);
        withRemoved(changes, this.#run.relations, () => this.#runStarts(changes));
        if (this.#affected.count === 0) return true;
        this.#affected.to = this.#affected.count;
        const filled = relations.map(key => ({ key, relation: relationOf(this.#run, key), column: parts.columns.get(key)! }));
        const concerned = filled.map(({ relation, column }) => rowsWith(relation, column, this.#affected));
        const all = filled.reduce((sum, { relation }) => sum + relation.count, 0);
        if (concerned.reduce((sum, rows) => sum + rows.length, 0) * 100 > all * MOST_PARTS + 100_000) return false;
        const key = `affected ${parts.values}` as PredicateKey;
        const values = this.#plan.relations.get(parts.values)!;
        const plan = { ...this.#plan, rewrites: true, relations: new Map([...this.#plan.relations, [key, { ...values, key }]]) };
        const run = { ...this.#run, relations: new Map([...this.#run.relations, [key, this.#affected]]) };
        const restricted = { ...parts, sources: [copyOf(key, parts.values, parts.sources[0]!)], forgotten: new Set<PredicateKey>() };
        const fresh = evaluateFresh({ ...this.#stratum, execution: { ...execution, parts: restricted } }, plan, run);
        if (filled.some(({ key: one, column }) => !areOf(fresh.relations.get(one)!, column, this.#affected))) return false;
        for (const [index, { key: one, relation }] of filled.entries())
            this.#changed.push(follow(one, relation, fresh.relations.get(one)!, changes, { within: concerned[index]! }));
        return true;
    }

    undo(): void {
        for (const changed of this.#changed) changed.undo();
    }

    /** Collects the values of the parts in which a derivation comes or goes. */
    #runStarts(changes: Changes): void {
        const own = new Set(this.#stratum.relations);
        for (const [index, rule] of this.#stratum.rules.entries()) {
            for (const [at, { relation: key }] of rule.literals.entries()) {
                const change = own.has(key) ? undefined : changes.get(key);
                if (change === undefined) continue;
                const name = `${index} ${at}`;
                const start =
                    this.#starts.get(name) ??
                    startFrom(this.#partsOf(rule), at, 'loss', this.#run, (_, values) => this.#affected.add(values));
                this.#starts.set(name, start);
                openWindows(relationsRead(this.#stratum.rules, this.#run));
                start.run(relationOf(this.#run, key), [...change.added, ...change.removed]);
            }
        }
    }

    /** The rule with the values of the parts as what it derives. */
    #partsOf(rule: PlanRule): PlanRule {
        const { execution } = this.#stratum;
        const columns = isInParts(execution) ? execution.parts.columns : new Map<PredicateKey, number>();
        const outputs = rule.outputs.map((output): PlanOutput => {
            const column = columns.get(output.relation)!;
            const term =
                output.kind === 'contribute'
                    ? output.keys[this.#plan.relations.get(output.relation)!.groups!.keys.indexOf(column)]
                    : output.terms[column];
            return { kind: 'emit', relation: output.relation, terms: [term!] };
        });
        return { ...rule, outputs };
    }
}

/** The rule that fills the values of the parts with these. */
function copyOf(from: PredicateKey, to: PredicateKey, { place, span, types }: PlanRule): PlanRule {
    return {
        place,
        span,
        literals: [{ relation: from, negated: false, recursive: false, terms: [{ kind: 'variable', name: '$part' }] }],
        constants: [],
        filters: [],
        assignments: [],
        constantsOnly: [],
        inventions: [],
        outputs: [{ kind: 'emit', relation: to, terms: ['$part'] }],
        types,
    };
}

function rowsWith(relation: Relation, column: number, values: Relation): number[] {
    const rows: number[] = [];
    const key = new Int32Array(1);
    for (let index = 0; index < values.count; index++) {
        key[0] = values.columns[0]![index]!;
        relation.match([column], key, row => {
            rows.push(row);
        });
    }
    return rows;
}

function areOf(relation: Relation, column: number, values: Relation): boolean {
    const key = new Int32Array(1);
    for (let row = 0; row < relation.count; row++) {
        key[0] = relation.columns[column]![row]!;
        if (values.findKey(key) < 0) return false;
    }
    return true;
}
