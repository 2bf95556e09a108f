import { evaluate } from '#engine/engine.ts';
import { RunStopped } from '#engine/reports.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { ChainProgress, ChainRun, ChainRunStep } from '#server/protocol/chain-run.ts';
import type { FromProcess, ProcessEnd } from '#server/protocol/run-process.ts';
import type { OutputKey, OutputSummary, RunNotice } from '#server/protocol/runs.ts';
import { runConnectors } from '#server/sources/connectors.ts';
import { problemNotice, reportNotice } from '#server/terminal/notice.ts';
import { sourceText } from '#server/terminal/source-texts.ts';
import { DEFAULT_LIMITS } from './default-limits.ts';
import { abandoned, bindsOf, progressSender, remark, resultsOf, wireNotice, writeFiles } from './evaluate-run.ts';
import { changedFiles, type EvaluatedStep } from './explained-chain.ts';
import { bytesOfRows, type KeptRows, noRowsAsSource, rowsAsSource } from './kept-rows.ts';
import { loadStep } from './load-step.ts';
import { NullNumbers } from './null-numbers.ts';
import { outputSummary } from './output-summary.ts';
import { provenanceNeeds } from './provenance.ts';
import { sourceStamps } from './source-stamps.ts';
import { tryTargets, writtenBinds } from './try-targets.ts';

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

/** Notices of one step at most. */
const NOTICES = 100;
const SMALLEST_MEMORY = 64 * 1024 * 1024;

/** Evaluates the steps of a chain one after the other, until one fails. Then the files of the last one's output binds are in place. */
export async function evaluateChain(run: ChainRun, send: (message: FromProcess) => void): Promise<EvaluatedChain> {
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
    for (const [index, step] of run.steps.entries()) {
        const start = performance.now();
        const result = await evaluateStep(step, run, { kept, nulls, began, isLast: index === run.steps.length - 1, send });
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
    readonly send: (message: FromProcess) => void;
}

async function evaluateStep(step: ChainRunStep, run: ChainRun, context: StepContext): Promise<StepResult> {
    const { kept: earlier, nulls, began, isLast, send } = context;
    const { file, program, problems, access, output } = await loadStep(step, run, earlier);
    const sources = new Map([[file, sourceText(step.text)]]);
    const binds = bindsOf(program);
    const wire = (notice: ReturnType<typeof problemNotice>): RunNotice => wireNotice(notice, file, sources, binds);
    const errors = problems.filter(({ severity }) => severity === 'error').slice(0, NOTICES);
    if (errors.length > 0) return { ok: false, notices: errors.map(problem => wire(problemNotice(problem))) };
    if (output === undefined)
        return { ok: false, notices: [{ ...remark(`No predicate '${step.concept}' is derived`), severity: 'error' }] };
    const files = runConnectors({ ...access, onTemporary: (path, exists) => send({ kind: 'temporary', path, exists }) });
    const connectors = { ...files, input: (predicate: string) => inputRows(predicate, step, earlier) };
    const explains = run.explains !== undefined;
    const writes = isLast && !explains;
    const needs = writes ? provenanceNeeds(program) : { heights: explains, goals: [] };
    const shown = writes ? [output, ...program.outputs.filter(key => key !== output)] : [output];
    const clock = (): number => performance.now();
    const { maxMemory, timeout } = run.limits;
    const held = [...earlier.values()].reduce((bytes, rows) => bytes + bytesOfRows(rows), 0);
    try {
        if (writes) await tryTargets(writtenBinds(program, shown), files);
        const outcome = await evaluate(program, {
            parameters: run.parameters,
            connectors,
            cancelled: abandoned(),
            clock,
            progress: progressSender(send),
            ...(timeout === undefined ? {} : { deadline: began + timeout }),
            heights: needs.heights,
            goals: new Set([...shown, ...needs.goals]),
            limits: { ...DEFAULT_LIMITS, maxMemory: Math.max(SMALLEST_MEMORY, maxMemory - held) },
        });
        const notices = outcome.reports.slice(0, NOTICES).map(report => wire(reportNotice(report)));
        if (!outcome.ok) return { ok: false, notices };
        const { database, statistics } = outcome;
        const results = resultsOf(database, shown);
        if (writes) notices.push(...(await writeFiles(results, program, files, send)).map(remark));
        const [listing] = results.listings;
        if (listing === undefined) throw new Error('nothing was listed');
        const kept = { listing, numberOf: nulls.of(database.dictionary) };
        const labelled = { ...results, label: (id: ValueId) => `z${kept.numberOf(id)}` };
        return { ok: true, kept, notices, facts: statistics.facts, evaluated: { step, file, kept, results: labelled } };
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        return { ok: false, notices: [wire(reportNotice(error.report))] };
    }
}

function inputRows(predicate: string, { inputs }: ChainRunStep, kept: ReadonlyMap<string, KeptRows>) {
    const input = inputs.find(one => one.predicate === predicate);
    if (input === undefined) return undefined;
    const rows = input.concept === undefined ? undefined : kept.get(input.concept);
    return rows === undefined ? noRowsAsSource(predicate) : rowsAsSource(predicate, rows);
}
