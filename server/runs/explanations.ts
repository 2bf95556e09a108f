import { Worker } from 'node:worker_threads';
import type { Listing } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import type {
    ExplainingInput,
    ExplainingQuestion,
    ExplainingRequests,
    FromExplaining,
    ListedRow,
    ToExplaining,
} from '#server/protocol/explaining.ts';
import type { OutputKey } from '#server/protocol/runs.ts';
import type { AskablePredicate, QuestionCheck } from '#server/protocol/why-not.ts';
import { questionProblem, questionRemark, readFact } from './asked-fact.ts';
import type { FinishedRun } from './evaluate-run.ts';
import { Refusal, refuse } from './refusal.ts';

type Kind = keyof ExplainingRequests;
type Answered<K extends Kind> = Promise<ExplainingRequests[K]['result']>;

/** Why facts of a run hold, and why others do not. A thread finds the answers, so that rows are served meanwhile. */
export interface Explanations {
    /** Asks the thread something; `id` is that of the question of the run process. */
    ask<K extends Kind>(id: number, question: { readonly kind: K } & ExplainingRequests[K]['params']): Answered<K>;
    /** Explains a row of a relation that is shown in this listing. */
    explain(id: number, listing: Listing, row: number, all: boolean): Answered<'row'>;
    whyNot(id: number, question: string): Answered<'whyNot'>;
    /** Ends the answer to a question. */
    stop(id: number): void;
    predicates(): readonly AskablePredicate[];
    check(question: string): QuestionCheck;
}

interface Waiting {
    readonly resolve: (result: never) => void;
    readonly reject: (error: Error) => void;
}

export const STACK_MEGABYTES = 16;
/** The parts of explanations that one thread may number. */
const NODES = 1e9;

export function explanations({ run, loaded: { program }, results: shown, memoryLeft }: FinishedRun): Explanations {
    const waiting = new Map<number, Waiting>();
    let thread: Worker | undefined;
    let threads = 0;

    const gone = (message: string): void => {
        thread = undefined;
        for (const { reject } of waiting.values()) reject(new Refusal(message));
        waiting.clear();
    };
    const started = (): Worker => {
        const input: ExplainingInput = { run, maxMemory: memoryLeft, lastNode: threads++ * NODES };
        const made = new Worker(new URL('./explaining-thread.mjs', import.meta.url), {
            workerData: input,
            resourceLimits: { stackSizeMb: STACK_MEGABYTES },
        });
        made.on('message', (message: FromExplaining) => {
            const asked = waiting.get(message.id);
            waiting.delete(message.id);
            if (message.kind === 'answer') asked?.resolve(message.result as never);
            else asked?.reject(new Refusal(message.message));
        });
        made.on('error', error => gone(`The explanation failed: ${error.message}`));
        made.on('exit', () => {
            if (thread === made) gone('The explanation has ended. Ask for it again');
        });
        return made;
    };
    const tell = (message: ToExplaining<ExplainingQuestion>): void => {
        thread ??= started();
        thread.postMessage(message);
    };
    const ask: Explanations['ask'] = (id, question) =>
        new Promise((resolve, reject) => {
            waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
            tell({ kind: 'ask', id, question: question as ExplainingQuestion });
        });

    return {
        ask,
        explain: (id, listing, row, all) => ask(id, { kind: 'row', row: listedRow(listing, row), all }),
        whyNot(id, question) {
            const asked = readFact(question);
            const problem = questionProblem(program, asked);
            if (asked === undefined || problem !== undefined) return refuse(problem ?? '');
            const key = predicateKey(asked.atom.predicate, asked.atom.arguments.length);
            const further = shown.database.relation(key) === undefined ? { further: key } : {};
            return ask(id, { kind: 'whyNot', question, ...further });
        },
        stop(id) {
            const asked = waiting.get(id);
            if (asked === undefined) return;
            waiting.delete(id);
            tell({ kind: 'stop', id });
            asked.reject(new Refusal('The explanation was stopped'));
        },
        predicates() {
            const outputs = new Set<OutputKey>(shown.listings.map(({ predicate }) => predicate));
            const all = program.strata
                .flatMap(({ predicates }) => predicates)
                .flatMap(key => program.predicates.get(key) ?? [])
                .map(({ key, name, columns, rules }): AskablePredicate => {
                    const count = shown.database.relation(key)?.count;
                    return {
                        key,
                        name,
                        columns: columns.map(column => column.name),
                        kind: outputs.has(key) ? 'output' : rules.length > 0 ? 'derived' : 'given',
                        ...(count === undefined ? {} : { facts: count }),
                    };
                });
            return (['output', 'derived', 'given'] as const).flatMap(kind => all.filter(predicate => predicate.kind === kind));
        },
        check(question) {
            const asked = readFact(question);
            const problem = questionProblem(program, asked);
            const remark = asked && questionRemark(asked);
            return { ...(problem === undefined ? {} : { problem }), ...(remark === undefined ? {} : { remark }) };
        },
    };

    function listedRow(listing: Listing, row: number): ListedRow {
        const { predicate: output, count, columns, dictionary } = listing;
        const at = listing.rows.indexOf(row);
        const predicate = program.predicates.get(output) ?? refuse('This output is not there');
        const values = columns.map((_, column) => listing.at(at, column));
        return { output, at, count, text: factText(dictionary, predicate, values, shown.label) };
    }
}
