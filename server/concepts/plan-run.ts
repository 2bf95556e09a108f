import { createHash } from 'node:crypto';
import { namedAnnotations, placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { readBinds } from '#language/analysis/binds.ts';
import type { ChainRunStep } from '#server/protocol/chain-run.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import { readStep } from '#server/runs/load-step.ts';
import { stampOfSource } from '#server/sources/file-connectors.ts';
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
    const files = steps.flatMap(step => (step.kind === 'rules' ? fileStamps(step, { ...question, parameters }) : []));
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
        cacheKey: createHash('sha256').update(key).digest('hex'),
    };
}

/** A value as a program would write it: a default that a run repeats changes nothing. */
function literalText(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map(literalText).join(', ')}]`;
    return JSON.stringify(typeof value === 'object' && value !== null && 'text' in value ? value.text : value);
}

/** What shows a change of the files that a step reads. */
function fileStamps(step: ChainRunStep, run: RunQuestion): (string | null)[] {
    const { linked, access } = readStep(step, run);
    const annotations = placedAnnotations(linked);
    const outputs = new Set(namedAnnotations(annotations, 'output').map(({ predicate }) => predicate));
    return readBinds(annotations, outputs).flatMap(({ bind }) => (bind.direction === 'input' ? [stampOfSource(bind, access) ?? null] : []));
}
