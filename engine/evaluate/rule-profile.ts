import type { RuleProfile, VariantProfile } from '../contracts/run-statistics.ts';
import type { PlanStep, PlanVariant } from '../plan/plan.ts';
import { printExecution, printSteps, ruleTitle } from '../plan/print-plan.ts';
import type { RunContext } from './run-context.ts';
import { type CountedStep, countedSteps, itemProfiles } from './step-profile.ts';

type CountedVariant = { -readonly [key in keyof Omit<VariantProfile, 'items' | 'matches'>]: VariantProfile[key] } & {
    /** The matches that came to each step, by its place in the order in which it is run. */
    readonly reached: Float64Array;
    readonly counted: readonly CountedStep[];
    /** The index in `reached` of each line of `steps` that begins a step there. */
    readonly lines: readonly (number | undefined)[];
    /** Heads that one match offers. */
    readonly heads: number;
};

/** The counts of a variant as its steps see it. */
export interface Counts {
    readonly of: CountedVariant;
    /** The index of a step in `reached`. */
    readonly places: ReadonlyMap<PlanStep, number>;
}

type Counted = Omit<RuleProfile, 'variants'> & { readonly variants: CountedVariant[] };

/** Counts what rules do while they run. A run without a profile has none of its counters. */
export class Profile {
    stratum = 0;
    readonly #rules = new Map<string, Counted>();

    /** Rules in the order in which they were first planned. */
    get rules(): readonly RuleProfile[] {
        return [...this.#rules.values()].map(rule => ({ ...rule, variants: rule.variants.map(variantProfile) }));
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
            const head = rule.source === undefined ? {} : { head: rule.source.rule.head.span };
            profile = { rule: title, location, ...head, fills, internal, stratum: this.stratum, variants: [] };
            this.#rules.set(key, profile);
        }
        const steps = printSteps(variant);
        const execution = printExecution(variant);
        const from = delta === undefined ? undefined : rule.literals[delta]!.relation;
        const known = profile.variants.find(
            one => one.delta === from && one.execution === execution && one.steps.join('\n') === steps.join('\n'),
        );
        const counted = countedSteps(variant, plan);
        const places = new Map(counted.map(({ step }, place) => [step, place]));
        if (known !== undefined) return { of: known, places };
        const waits = chase !== undefined && targets.some(relation => plan.trees.has(relation));
        const counts: CountedVariant = {
            ...(from === undefined ? {} : { delta: from }),
            execution,
            steps,
            runs: 0,
            milliseconds: 0,
            tried: 0,
            ...(waits ? {} : { kept: 0 }),
            bytes: 0,
            reached: new Float64Array(counted.length),
            counted,
            lines: variant.steps.flatMap(step =>
                printSteps({ ...variant, steps: [step] }).map((_, line) => (line === 0 ? places.get(step) : undefined)),
            ),
            heads: targets.length,
        };
        profile.variants.push(counts);
        return { of: counts, places };
    }
}

function variantProfile({ reached, counted, lines, heads, ...variant }: CountedVariant): VariantProfile {
    const passed = [...reached.subarray(1), variant.tried / heads];
    const matches = lines.map(place => (place === undefined ? undefined : passed[place]));
    return { ...variant, matches, items: itemProfiles(counted, reached, passed) };
}

/** Runs a variant and adds up what it took. */
export function profiled(
    variant: PlanVariant,
    run: () => void,
    { of: counts }: Counts,
    { relations, memory, options }: RunContext,
): () => void {
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
