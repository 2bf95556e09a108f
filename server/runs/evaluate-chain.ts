import type { Providers } from '#engine/contracts/providers.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import type { ChainProgress, ChainRun, ChainRunStep } from '#server/protocol/chain-run.ts';
import type { FromProcess, ProcessEnd } from '#server/protocol/run-process.ts';
import type { OutputKey, OutputSummary, RunNotice, WireRange } from '#server/protocol/runs.ts';
import { errorsOf, evaluateLoaded, processHost } from './evaluate-loaded.ts';
import { changedFiles, type EvaluatedStep } from './explained-chain.ts';
import { bytesOfRows, type KeptRows, noRowsAsSource, rowsAsSource } from './kept-rows.ts';
import { loadProgram } from './load-program.ts';
import { NullNumbers } from './null-numbers.ts';
import { outputSummary } from './output-summary.ts';
import type { RunHost } from './prepare-run.ts';
import { sourceStamps } from './source-stamps.ts';
import { stepSource } from './step-source.ts';
import { remark } from './wire-notice.ts';

export interface EvaluatedChain {
    readonly end: ProcessEnd;
    readonly progress: ChainProgress;
    /** Of each step whose rows are kept, by the key of its output. */
    readonly rows: ReadonlyMap<OutputKey, KeptRows>;
    /** Of a chain that explains. */
    readonly steps: readonly EvaluatedStep[];
}

type StepResult =
    | {
          readonly ok: true;
          readonly kept: KeptRows;
          readonly notices: readonly RunNotice[];
          readonly facts: number;
          readonly evaluated: EvaluatedStep;
      }
    | { readonly ok: false; readonly notices: readonly RunNotice[] };

type Position = WireRange['start'];

const SMALLEST_MEMORY = 64 * 1024 * 1024;

/** Evaluates the steps of a chain one after the other, until one fails. Then the files of the last one's output binds are in place. */
export async function evaluateChain(run: ChainRun, providers: Providers, send: (message: FromProcess) => void): Promise<EvaluatedChain> {
    const began = performance.now();
    const kept = new Map<string, KeptRows>();
    const nulls = new NullNumbers();
    const outputs: OutputSummary[] = [];
    const notices: RunNotice[] = [];
    const milliseconds: number[] = [];
    const steps: EvaluatedStep[] = [];
    const { explains } = run;
    const changed = explains && changedFiles(explains.stamps, await Promise.all(run.steps.map(step => sourceStamps(step, run))));
    let facts = 0;
    const spent = (): number => Math.round(performance.now() - began);
    let current = 0;
    const host = processHost(message => send(message.kind === 'progress' ? { ...message, step: current } : message));
    for (const [index, step] of run.steps.entries()) {
        current = index;
        const start = performance.now();
        const result = await evaluateStep(step, run, { kept, nulls, began, isLast: index === run.steps.length - 1, providers, host });
        milliseconds.push(performance.now() - start);
        notices.push(...result.notices);
        if (!result.ok) {
            const end: ProcessEnd = { outcome: 'failed', milliseconds: spent(), notices };
            return { end, progress: { milliseconds, failed: step.concept }, rows: new Map(), steps };
        }
        kept.set(step.concept, result.kept);
        outputs.push(outputSummary(result.kept.listing));
        facts += result.facts;
        if (explains !== undefined) steps.push(result.evaluated);
        else if (!run.keepsAll) dropUnread(kept, run.steps.slice(index + 1), step);
    }
    const end: ProcessEnd = { outcome: 'finished', milliseconds: spent(), notices, outputs, facts };
    const progress = { milliseconds, ...(changed !== undefined && { changed }) };
    return { end, progress, rows: new Map([...kept.values()].map(rows => [rows.listing.predicate, rows])), steps };
}

/** Gives up rows that no later step reads. */
function dropUnread(kept: Map<string, KeptRows>, later: readonly ChainRunStep[], evaluated: ChainRunStep): void {
    const read = new Set(later.flatMap(({ inputs }) => inputs.flatMap(({ concept }) => concept ?? [])));
    for (const concept of kept.keys()) if (!read.has(concept) && concept !== evaluated.concept) kept.delete(concept);
}

interface StepContext {
    readonly kept: ReadonlyMap<string, KeptRows>;
    readonly nulls: NullNumbers;
    readonly began: number;
    readonly isLast: boolean;
    readonly providers: Providers;
    readonly host: RunHost;
}

async function evaluateStep(step: ChainRunStep, run: ChainRun, context: StepContext): Promise<StepResult> {
    const { kept: earlier, nulls, began, isLast, providers, host } = context;
    const loaded = await loadProgram(stepSource(step, run, earlier));
    const { file, program } = loaded;
    const errors = errorsOf(loaded);
    if (errors.length > 0) return { ok: false, notices: inOwnText(errors, step) };
    const output = program.outputs.find(key => program.predicates.get(key)?.name === step.concept);
    if (output === undefined) return { ok: false, notices: [remark(say`No predicate '${step.concept}' is derived`, 'error')] };
    const { now } = run;
    const heights = run.explains !== undefined;
    const writes = isLast && !heights;
    const held = [...earlier.values()].reduce((bytes, rows) => bytes + bytesOfRows(rows), 0);
    const request = {
        shown: writes ? [output, ...program.outputs.filter(key => key !== output)] : [output],
        writes,
        heights,
        ...(now !== undefined && { now: () => now }),
        limits: { ...run.limits, maxMemory: Math.max(SMALLEST_MEMORY, run.limits.maxMemory - held) },
        began,
        input: (predicate: string) => inputRows(predicate, step, earlier),
        python: run.python,
        providers,
        scripts: step.scripts,
    };
    const done = await evaluateLoaded(loaded, request, host);
    const notices = inOwnText(done.notices, step);
    if (!done.ok) return { ok: false, notices };
    const { results, facts } = done;
    const [listing] = results.listings;
    if (listing === undefined) throw new Error('nothing was listed');
    const kept = { listing, numberOf: nulls.of(results.database.dictionary) };
    const labelled = { ...results, label: (id: ValueId) => `z${kept.numberOf(id)}` };
    return { ok: true, kept, notices, facts, evaluated: { step, file, kept, results: labelled } };
}

/** The notices with their places in the text that the concept has itself. */
function inOwnText(notices: readonly RunNotice[], { ownStart }: ChainRunStep): readonly RunNotice[] {
    if (ownStart === 0) return notices;
    const moved = ({ line, character }: Position): Position => ({
        line,
        character: line === 0 ? Math.max(0, character - ownStart) : character,
    });
    return notices.map(notice => {
        const { range } = notice;
        return range === undefined ? notice : { ...notice, range: { start: moved(range.start), end: moved(range.end) } };
    });
}

function inputRows(predicate: string, { inputs }: ChainRunStep, kept: ReadonlyMap<string, KeptRows>) {
    const input = inputs.find(one => one.predicate === predicate);
    if (input === undefined) return undefined;
    const rows = input.concept === undefined ? undefined : kept.get(input.concept);
    return rows === undefined ? noRowsAsSource(predicate) : rowsAsSource(predicate, rows);
}
