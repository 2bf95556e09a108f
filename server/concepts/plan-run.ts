import { createHash } from 'node:crypto';
import type { ChainRunStep, FileStamp } from '#server/protocol/chain-run.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import { sourceStamps } from '#server/runs/source-stamps.ts';
import { type PlannedChain, planChain } from './chain.ts';
import type { Concept, ConceptKind } from './concept-reading.ts';

/** What is to be run, among the concepts of its project as they are at that moment. */
export interface RunQuestion {
    readonly concepts: readonly Concept[];
    readonly target: string;
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly backend: string;
    readonly currentFolder: string;
    readonly folders: RunFolders;
}

export interface PlannedStep extends ChainRunStep {
    readonly kind: ConceptKind;
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
          /** Equal for runs of a concept that must give the same rows, as far as that can be known. */
          readonly cacheKey: string;
      }
    | Exclude<PlannedChain, { readonly ok: true }>;

/** Reads the concepts that a run needs, and looks at the files that they are bound to. */
export function planRun(question: RunQuestion): PlannedRun {
    const { concepts, target, parameters: given } = question;
    const planned = planChain(concepts, target, new Set(given.keys()));
    if (!planned.ok) return planned;
    const { steps, warnings, parameters: known, defaults } = planned.chain;
    const parameters = new Map([...given].filter(([name]) => known.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1)));
    const made = steps.map(({ concept, kind, text, modules, scripts }) => [concept, kind, text, modules, Object.entries(scripts).sort()]);
    const stamps = steps.map(step => (step.kind === 'rules' ? sourceStamps(step, { ...question, parameters }) : []));
    const files = stamps.flatMap(of => of.map(({ stamp }) => stamp));
    const changed = [...parameters].filter(([name, value]) => literalText(value) !== defaults.get(name));
    const key = JSON.stringify([made, changed, question.backend, files]);
    return {
        ok: true,
        steps: steps.map(({ concept, kind, text, ownLength, overridden, modules, inputs }) => ({
            concept,
            kind,
            text,
            ownLength,
            overridden,
            modules,
            inputs,
        })),
        warnings,
        parameters,
        stamps,
        cacheKey: createHash('sha256').update(key).digest('hex'),
    };
}

/** A value as a program would write it: a default that a run repeats changes nothing. */
function literalText(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map(literalText).join(', ')}]`;
    return JSON.stringify(typeof value === 'object' && value !== null && 'text' in value ? value.text : value);
}
