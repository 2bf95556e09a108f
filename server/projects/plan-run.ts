import { createHash } from 'node:crypto';
import type { ChainRunStep, FileStamp } from '#server/protocol/chain-run.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import { sourceStamps, writesSomewhere } from '#server/runs/source-stamps.ts';
import { type Chain, type PlannedChain, planChain } from './chain.ts';
import type { Concept, ConceptKind } from './concept-reading.ts';

/** The concept to run, among the concepts of its project as they are at that moment. */
export interface RunQuestion {
    readonly concepts: readonly Concept[];
    readonly target: string;
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly backend: string;
    readonly currentFolder: string;
    readonly folders: RunFolders;
    /** The keys of dependencies are wanted, too. */
    readonly keysOfAll: boolean;
}

export interface PlannedStep extends ChainRunStep {
    readonly kind: ConceptKind;
}

/** The texts that a step is made of. */
export function textsOf({ text, modules }: ChainRunStep): readonly string[] {
    return [text, ...modules];
}

/** How a concept is run, or why it cannot be. */
export type PlannedRun =
    | {
          readonly ok: true;
          /** Dependencies first, the target last. */
          readonly steps: readonly PlannedStep[];
          readonly warnings: readonly string[];
          /** The parameters that some step knows. */
          readonly parameters: ReadonlyMap<string, unknown>;
          /** Of the files that each step reads, before it is evaluated. */
          readonly stamps: readonly (readonly FileStamp[])[];
          /** The present of all steps, in milliseconds since 1970. */
          readonly now: number;
          /**
           * By the names of concepts; equal for runs of a concept that must give the same rows, as far as that can be known. The target's,
           * and where they are wanted those of dependencies that a run of their own would give the same values of parameters.
           */
          readonly cacheKeys: ReadonlyMap<string, string>;
      }
    | Exclude<PlannedChain, { readonly ok: true }>;

/** Reads the concepts that a run needs, and looks at the files that they are bound to. */
export async function planRun(question: RunQuestion): Promise<PlannedRun> {
    const { concepts, target, parameters: given } = question;
    const planned = planChain(concepts, target, new Set(given.keys()));
    if (!planned.ok) return planned;
    const { steps, warnings, parameters: known, defaults } = planned.chain;
    const parameters = knownOf(given, known);
    const reading = { ...question, parameters };
    const now = Date.now();
    const stamps = await Promise.all(steps.map(step => (step.kind === 'rules' ? sourceStamps(step, reading) : [])));
    const stampsBy = new Map(steps.map(({ concept }, i) => [concept, stamps[i] ?? []]));
    const dependencies = question.keysOfAll ? steps.slice(0, -1) : [];
    const cacheKeys = new Map([[target, cacheKeyOf(planned.chain, { question, stamps: stampsBy, now })]]);
    for (const step of dependencies) {
        const { concept } = step;
        // A run of its own would write the file of an output bind, which it does not do as a dependency.
        if (step.kind === 'rules' && writesSomewhere(step, reading)) continue;
        const own = planChain(concepts, concept, new Set(given.keys()));
        const isAlike =
            own.ok && own.chain.parameters.every(name => given.has(name) || own.chain.defaults.get(name) === defaults.get(name));
        if (isAlike) cacheKeys.set(concept, cacheKeyOf(own.chain, { question, stamps: stampsBy, now }));
    }
    return {
        ok: true,
        steps: steps.map(({ concept, kind, text, ownStart, ownLength, overridden, modules, inputs, scripts }) => ({
            concept,
            kind,
            text,
            ownStart,
            ownLength,
            overridden,
            modules,
            inputs,
            ...(kind === 'script' && { scripts }),
        })),
        warnings,
        parameters,
        stamps,
        now,
        cacheKeys,
    };
}

/** The values of the parameters that are known, by name in the order of names. */
function knownOf(given: ReadonlyMap<string, unknown>, known: readonly string[]): ReadonlyMap<string, unknown> {
    return new Map([...given].filter(([name]) => known.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function cacheKeyOf(
    { steps, parameters: known, defaults }: Chain,
    {
        question,
        stamps,
        now,
    }: { readonly question: RunQuestion; readonly stamps: ReadonlyMap<string, readonly FileStamp[]>; readonly now: number },
): string {
    const parameters = knownOf(question.parameters, known);
    const made = steps.map(({ concept, kind, text, modules, scripts }) => [concept, kind, text, modules, Object.entries(scripts).sort()]);
    const files = steps.flatMap(({ concept }) => (stamps.get(concept) ?? []).map(({ stamp }) => stamp));
    const values = Array.from(parameters, ([name, value]) => [name, literalText(value)] as const);
    const changed = values.filter(([name, value]) => value !== defaults.get(name));
    const present = presentIn(steps.flatMap(textsOf), now);
    const key = JSON.stringify([made, changed, question.backend, files, ...(present === undefined ? [] : [present])]);
    return createHash('sha256').update(key).digest('hex');
}

const CLOCK = /\b(?:current_(?:timestamp|time)|localtime(?:stamp)?|now)\b/iu;
const CALENDAR = /\b(?:current_date|today)\b/iu;

/**
 * The part of the present that programs ask for by their texts, rules and SQL: the instant, or the day of UTC; undefined for none. A name or a
 * comment that only looks like it costs another evaluation, and no wrong rows.
 */
function presentIn(texts: readonly string[], now: number): string | undefined {
    const instant = new Date(now).toISOString();
    if (texts.some(text => CLOCK.test(text))) return instant;
    return texts.some(text => CALENDAR.test(text)) ? instant.slice(0, 10) : undefined;
}

/** A value as a program would write it: a default that a run repeats changes nothing. */
function literalText(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map(literalText).join(', ')}]`;
    return JSON.stringify(typeof value === 'object' && value !== null && 'text' in value ? value.text : value);
}
