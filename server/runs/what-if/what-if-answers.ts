import { NO_PROVIDERS } from '#engine/contracts/providers.ts';
import { type Listing, nullLabels } from '#engine/results/listing.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';
import type { Handlers, ParamsOf } from '#server/protocol/methods.ts';
import type { ProcessMethods } from '#server/protocol/run-process.ts';
import { type ChangedRow, WHAT_IF_ROWS, type WhatIf, type WhatIfChanges, type WhatIfOutput } from '#server/protocol/what-if.ts';
import { nullNames } from '#server/store/ordered-value.ts';
import { errorsOf } from '../evaluate-loaded.ts';
import type { FinishedRun } from '../evaluate-run.ts';
import { type Explanations, explanations } from '../explanations.ts';
import type { HeldRun, HeldRunUpdate } from '../held-run.ts';
import type { LoadedProgram } from '../load-program.ts';
import { outputSummary } from '../output-summary.ts';
import { rowsText } from '../rows-text.ts';
import { listingOf } from '../sorted-rows.ts';
import type { ChangedOutput, Fate } from './changed-outputs.ts';
import { changedRowText } from './changed-row-text.ts';
import { type Changes, changesProgram, readChanges, removesDerived } from './read-changes.ts';
import { tryChanges } from './try-changes.ts';

type WhatIfMethods = 'rulelang/whatIf' | 'rulelang/whatIfRows' | 'rulelang/whatIfExplain' | 'rulelang/whatIfValues';
type NodeMethods = 'rulelang/expand' | 'rulelang/absence' | 'rulelang/reveal';
type Answers<M extends keyof ProcessMethods> = Pick<Handlers<ProcessMethods, number>, M>;

/** A run that is held, or opened to be held, for what would be if something were otherwise. */
export interface WhatIfProgram {
    /** Or why its results do not follow changes, in words. */
    held(): Promise<HeldRun | string>;
    /** The program with other rules and parameters. */
    load(changes: Changes): Promise<LoadedProgram>;
    /** The program was brought back after others were tried. */
    back(update: HeldRunUpdate): void;
    /** Answers about the program as it is. */
    readonly kept: KeptAnswers;
}

export interface WhatIfAnswers {
    readonly answers: Answers<WhatIfMethods | NodeMethods>;
    stop(id: number): void;
    close(): void;
}

/** An earlier answer, for further questions about it. */
export interface Answered {
    readonly outputs: readonly ChangedOutput[];
    readonly program: AnalysedProgram;
    readonly changes: WhatIfChanges;
    /** Rows that follow from rules are among those that go. */
    readonly takesDerived: boolean;
}

/** Answers that are kept. */
const KEPT = 8;

/** The last answers, by their numbers, of which none comes twice. */
export class KeptAnswers {
    readonly #answers = new Map<number, Answered>();
    #last = 0;

    /** The number of the next answer. */
    begin(): number {
        return ++this.#last;
    }

    put(number: number, answered: Answered): void {
        this.#answers.set(number, answered);
        for (const old of this.#answers.keys()) if (old <= number - KEPT) this.#answers.delete(old);
    }

    get(number: number): Answered {
        return this.#answers.get(number) ?? refuse(say`This is not kept any more. Ask again what would be`);
    }

    clear(): void {
        this.#answers.clear();
    }
}

/** The parts of explanations of a changed program have its number above these bits. */
const NODES = 2 ** 40;

/** Answers what would be if something were otherwise about a run, whose own explanations are asked for what is there now. */
export function whatIfAnswers(
    finished: FinishedRun,
    own: Explanations,
    before: () => readonly Listing[],
    { held: open, load, back, kept }: WhatIfProgram,
): WhatIfAnswers {
    const { run, loaded } = finished;
    /** Explains the changed program of one answer. */
    let explaining: { readonly number: number; readonly explanations: Explanations } | undefined;

    const changedProgram = async (changes: Changes): Promise<LoadedProgram> => {
        const changed = await load(changes);
        const [error] = errorsOf(changed);
        return error === undefined ? changed : refuse(say`The changed program has an error: ${error.message}`);
    };
    const answer = async ({ changes: asked }: ParamsOf<ProcessMethods, 'rulelang/whatIf'>, id: number): Promise<WhatIf> => {
        const began = performance.now();
        const changes = readChanges(asked, loaded.program);
        if (typeof changes === 'string') return refuse(changes);
        const held = await open();
        const changed = changesProgram(changes) ? await changedProgram(changes) : undefined;
        const number = kept.begin();
        const tried = await tryChanges(held, changes, {
            loaded,
            ...(changed && { changed }),
            database: finished.results.database,
            before: before(),
            anew: () => explanationsOf(number, asked).rows(id),
        });
        if (tried.back !== undefined) back(tried.back);
        if (tried.kind === 'failed') {
            const why = typeof tried.why === 'string' ? tried.why : tried.why.find(({ severity }) => severity === 'error')?.message;
            return refuse(why ?? say`The changed program fails`);
        }
        const { program } = changed ?? loaded;
        const takesDerived = removesDerived(changes, program);
        kept.put(number, { outputs: tried.outputs, program, changes: asked, takesDerived });
        const outputs = tried.outputs.map(output => wireOutput(output, program));
        const { anew } = tried;
        return { number, outputs, ...(anew !== undefined && { anew }), milliseconds: Math.round(performance.now() - began) };
    };
    const outputOf = ({ outputs }: Answered, key: string): ChangedOutput =>
        outputs.find(({ listing }) => listing.predicate === key) ?? refuse(say`This output is not there`);
    const explanationsOf = (number: number, changes: WhatIfChanges): Explanations => {
        if (explaining?.number !== number) {
            explaining?.explanations.close();
            const memoryLeft = finished.memoryLeft / 2;
            const parts = { changes, lastNode: number * NODES };
            explaining = {
                number,
                explanations: explanations({ ...finished, run: alone(run), memoryLeft, providers: NO_PROVIDERS }, parts),
            };
        }
        return explaining.explanations;
    };
    const explainedBy = (node: number): Explanations => {
        const number = Math.floor(node / NODES);
        return number === 0 ? own : explanationsOf(number, kept.get(number).changes);
    };
    return {
        stop: id => explaining?.explanations.stop(id),
        close: () => explaining?.explanations.close(),
        answers: {
            'rulelang/whatIf': answer,
            'rulelang/whatIfRows': ({ number, output, offset }) => {
                const answered = kept.get(number);
                return rowsOf(outputOf(answered, output), offset, answered.program);
            },
            'rulelang/whatIfValues': ({ number, output, fate, offset }) => {
                const { listing } = fated(outputOf(kept.get(number), output), fate);
                return rowsText(listing, offset, nullLabels(listing.dictionary), nullNames<string>());
            },
            'rulelang/whatIfExplain': async ({ number, output: key, row, changed }, id) => {
                const answered = kept.get(number);
                const output = outputOf(answered, key);
                if (row >= output.fates.length) refuse(say`This row is not there`);
                if (changed && answered.takesDerived)
                    refuse(
                        say`Rows that rules derive are taken away here, which no rule tells. See why they are there, and take away what they rest on`,
                    );
                const question = changedRowText(output, row, answered.program, () => '_');
                const answer = await (changed ? explanationsOf(number, answered.changes) : own).answers['rulelang/whyNot'](
                    { run: 0, question },
                    id,
                );
                if (!changed || answer.kind === 'present') return answer;
                // A question about the changed program does not doubt its rules, so the answer has no edits of them.
                const { edits: _, ...absence } = answer.absence;
                return { ...answer, absence };
            },
            'rulelang/expand': (params, id) => explainedBy(params.node).answers['rulelang/expand'](params, id),
            'rulelang/absence': (params, id) => explainedBy(params.node).answers['rulelang/absence'](params, id),
            'rulelang/reveal': (params, id) => explainedBy(params.node).answers['rulelang/reveal'](params, id),
        },
    };
}

/** A run that reaches nothing beyond files, and writes none. */
export function alone(run: FinishedRun['run']): FinishedRun['run'] {
    const { python: _, logins: __, hosts: ___, secrets: ____, writeFiles: _____, folders, ...own } = run;
    return { ...own, ...(folders && { folders: { ...folders, hosts: [], logins: [], secrets: [] } }) };
}

function wireOutput(output: ChangedOutput, program: AnalysedProgram): WhatIfOutput {
    const { listing, fates, rows } = output;
    const { key, name, columns } = outputSummary(listing);
    const comes = fates.filter(fate => fate === 'comes').length;
    return { key, name, columns, rows, comes, goes: fates.length - comes, changed: rowsOf(output, 0, program) };
}

/** The rows of one fate alone. */
function fated({ listing, fates }: ChangedOutput, fate: Fate): { readonly listing: Listing } {
    const rows = fates.flatMap((one, row) => (one === fate ? [row] : []));
    const columns = listing.columns.map((_, column) => Int32Array.from(rows, row => listing.at(row, column)));
    return { listing: listingOf(listing, columns, rows.length) };
}

function rowsOf(output: ChangedOutput, offset: number, program: AnalysedProgram): ChangedRow[] {
    const label = nullLabels(output.listing.dictionary);
    return output.fates
        .slice(offset, offset + WHAT_IF_ROWS)
        .map((fate, at) => ({ fate, text: changedRowText(output, offset + at, program, label) }));
}
