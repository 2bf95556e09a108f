import type { PlanVariant } from '../plan/plan.ts';
import { printExecution, printSteps, ruleTitle } from '../plan/print-plan.ts';
import type { RuleProfile, VariantProfile } from '../run-statistics.ts';
import type { RunContext } from './run-context.ts';

type Counts = { -readonly [key in keyof VariantProfile]: VariantProfile[key] };
type Counted = Omit<RuleProfile, 'variants'> & { readonly variants: Counts[] };

/** Counts what rules do while they run. A run without a profile has none of its counters. */
export class Profile {
    stratum = 0;
    readonly #rules = new Map<string, Counted>();

    /** Rules in the order in which they were first planned. */
    get rules(): readonly RuleProfile[] {
        return [...this.#rules.values()];
    }

    /** The counts of a variant; one that is planned anew in the same way goes on with them. */
    countsOf(variant: PlanVariant, { chase, plan }: RunContext): Counts {
        const { rule, delta } = variant;
        const targets = rule.outputs.map(({ relation }) => relation);
        const title = ruleTitle(rule);
        const key = [this.stratum, rule.place.file, rule.place.offset, rule.span.start, title, ...targets].join('\n');
        let profile = this.#rules.get(key);
        if (profile === undefined) {
            const location = { place: rule.place, span: rule.span };
            const fills = rule.outputs.flatMap(({ kind, relation }) => (kind === 'match' ? [] : [relation]));
            const internal = rule.outputs.some(({ kind, relation }) => kind !== 'match' && plan.relations.get(relation)?.internal === true);
            profile = { rule: title, location, fills, internal, stratum: this.stratum, variants: [] };
            this.#rules.set(key, profile);
        }
        const steps = printSteps(variant);
        const execution = printExecution(variant);
        const from = delta === undefined ? undefined : rule.literals[delta]!.relation;
        const known = profile.variants.find(
            one => one.delta === from && one.execution === execution && one.steps.join('\n') === steps.join('\n'),
        );
        if (known !== undefined) return known;
        const waits = chase !== undefined && targets.some(relation => plan.trees.has(relation));
        const counts: Counts = {
            ...(from === undefined ? {} : { delta: from }),
            execution,
            steps,
            runs: 0,
            milliseconds: 0,
            tried: 0,
            ...(waits ? {} : { kept: 0 }),
            bytes: 0,
        };
        profile.variants.push(counts);
        return counts;
    }
}

/** Runs a variant and adds up what it took. */
export function profiled(variant: PlanVariant, run: () => void, counts: Counts, { relations, memory, options }: RunContext): () => void {
    const { clock } = options;
    const keys = variant.rule.outputs.flatMap(({ kind, relation }) => (kind === 'match' ? [] : [relation]));
    const rows = (): number => keys.reduce((sum, key) => sum + (relations.get(key)?.count ?? 0), 0);
    return () => {
        const before = rows();
        const bytes = memory.held;
        const start = clock();
        run();
        counts.milliseconds += clock() - start;
        counts.bytes += memory.held - bytes;
        if (counts.kept !== undefined) counts.kept += rows() - before;
        counts.runs++;
    };
}
