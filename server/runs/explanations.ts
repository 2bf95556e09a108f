import type { Providers } from '#engine/contracts/providers.ts';
import type { Listing } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { Refusal, refuse } from '#server/notices/refusal.ts';
import { EXPLAINING_METHODS, type ExplainingMethods, type ExplainingQuestion } from '#server/protocol/explaining.ts';
import { type Handlers, inOneWay } from '#server/protocol/methods.ts';
import type { Answered, Asking, CallAnswer, ProcessMethods, ProvidedCalls } from '#server/protocol/run-process.ts';
import type { Explanation, OutputKey } from '#server/protocol/runs.ts';
import type { WhatIfChanges } from '#server/protocol/what-if.ts';
import type { AskablePredicate } from '#server/protocol/why-not.ts';
import { readEquality } from './asked-equality.ts';
import { questionProblem, questionRemark, readFact } from './asked-fact.ts';
import type { FinishedRun } from './evaluate-run.ts';
import { answerCalls } from './relayed-calls.ts';
import type { Results } from './results.ts';
import { type ExplainingThread, explainingThread } from './start-explaining.ts';

/** Why facts of a run hold, and why others do not. A thread finds the answers, so that rows are served meanwhile. */
export interface Explanations {
    /** The context of an answer is the number of the question. */
    readonly answers: Pick<Handlers<ProcessMethods, number>, keyof ExplainingMethods | 'rulelang/predicates' | 'rulelang/checkQuestion'>;
    /** Explains a row of a relation that is shown in this listing. */
    explain(listing: Listing, row: number, all: boolean, id: number): Promise<Explanation> | Explanation;
    /** Ends the answer to a question. */
    stop(id: number): void;
    /** Ends all of them, and the thread. */
    close(): void;
}

/** The parts of explanations that one thread may number. */
const NODES = 1e9;

/** Changes of the program to explain, and the number after which those of the parts of explanations begin. */
export interface ExplainedChanges {
    readonly changes: WhatIfChanges;
    readonly lastNode: number;
}

export function explanations(
    { run, loaded: { program }, results, memoryLeft, providers }: FinishedRun,
    { lastNode = 0, ...changed }: Partial<ExplainedChanges> = {},
): Explanations {
    const now = Number(results.database.now / 1000n);
    const input = { run, maxMemory: memoryLeft, now, ...changed };
    const thread = restartedThread(threads => explainingThread({ ...input, lastNode: lastNode + threads * NODES }), providers);
    const asked = inOneWay<ExplainingMethods, number>(EXPLAINING_METHODS, (question, id) => thread.ask(id, question));
    return {
        stop: thread.stop,
        close: thread.close,
        explain: (listing, row, all, id) => asked['rulelang/explainRow']({ row: listedRow(program, listing, row, results), all }, id),
        answers: {
            ...asked,
            'rulelang/whyNot': (params, id) => {
                const isEquality = readEquality(params.question) !== undefined;
                const problem = isEquality ? undefined : questionProblem(program, readFact(params.question));
                return problem === undefined ? asked['rulelang/whyNot'](params, id) : refuse(problem);
            },
            'rulelang/predicates': () => askablePredicates(program, results),
            'rulelang/checkQuestion': ({ question }) => {
                if (readEquality(question) !== undefined) return {};
                const fact = readFact(question);
                const problem = questionProblem(program, fact);
                const remark = fact && questionRemark(fact);
                return { ...(problem === undefined ? {} : { problem }), ...(remark === undefined ? {} : { remark }) };
            },
        },
    };
}

interface Waiting {
    readonly resolve: (result: unknown) => void;
    readonly reject: (error: Error) => void;
}

/** A thread that starts with the first question, and again with the next one after it has ended. Its calls are answered by `providers`. */
function restartedThread(start: (threads: number) => ExplainingThread, providers: Providers) {
    const waiting = new Map<number, Waiting>();
    let thread: ExplainingThread | undefined;
    let threads = 0;
    const gone = (message: string): void => {
        thread = undefined;
        for (const { reject } of waiting.values()) reject(new Refusal(message));
        waiting.clear();
    };
    const started = (): ExplainingThread => {
        const made = start(threads++);
        const look = (): void => {
            if (thread !== made) throw new Refusal(say`Nobody waits for this answer any more`);
        };
        made.on('message', (message: Answered | ProvidedCalls) => {
            if (message.kind === 'call') {
                const tellThread = (answer: CallAnswer): void => made.postMessage(answer);
                // It fails only where the thread is gone.
                void answerCalls(providers, message, look).then(tellThread, () => undefined);
                return;
            }
            const asked = waiting.get(message.id);
            waiting.delete(message.id);
            if (message.kind === 'answer') asked?.resolve(message.result);
            else asked?.reject(new Refusal(message.message));
        });
        made.on('error', error => gone(say`The explanation failed: ${error.message}`));
        made.on('exit', () => {
            if (thread === made) gone(say`The explanation has ended. Ask for it again`);
        });
        return made;
    };
    const tell = (message: Asking<ExplainingQuestion>): void => {
        thread ??= started();
        thread.postMessage(message);
    };
    return {
        ask: (id: number, question: ExplainingQuestion): Promise<unknown> =>
            new Promise((resolve, reject) => {
                waiting.set(id, { resolve, reject });
                tell({ kind: 'ask', id, question });
            }),
        stop: (id: number): void => {
            const asked = waiting.get(id);
            if (asked === undefined) return;
            waiting.delete(id);
            tell({ kind: 'stop', id });
            asked.reject(new Refusal(say`The explanation was stopped`));
        },
        close: (): void => {
            const ended = thread;
            gone(say`The rows have changed. Ask for the explanation again`);
            void ended?.terminate();
        },
    };
}

function askablePredicates(program: AnalysedProgram, { database, listings }: Results): AskablePredicate[] {
    const outputs = new Set<OutputKey>(listings.map(({ predicate }) => predicate));
    const all = program.strata
        .flatMap(({ predicates }) => predicates)
        .flatMap(key => program.predicates.get(key) ?? [])
        .map(({ key, name, columns, rules }): AskablePredicate => {
            const count = database.relation(key)?.count;
            return {
                key,
                name,
                columns: columns.map(column => column.name),
                kind: outputs.has(key) ? 'output' : rules.length > 0 ? 'derived' : 'given',
                ...(count === undefined ? {} : { facts: count }),
            };
        });
    return (['output', 'derived', 'given'] as const).flatMap(kind => all.filter(predicate => predicate.kind === kind));
}

function listedRow({ predicates }: AnalysedProgram, listing: Listing, row: number, { label }: Results) {
    const { predicate: output, count, columns, dictionary } = listing;
    const at = listing.rows.indexOf(row);
    const predicate = predicates.get(output) ?? refuse(say`This output is not there`);
    const values = columns.map((_, column) => listing.at(at, column));
    return { output, at, count, text: factText(dictionary, predicate, values, label) };
}
