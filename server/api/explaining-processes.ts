import { randomUUID } from 'node:crypto';
import { uncapitalised } from '#language/program/uncapitalised.ts';
import { Refusal } from '#server/notices/refusal.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { Evaluation } from '#server/runs/evaluation.ts';

/** A process that has evaluated what a concept's rows were made with, and explains them. */
export interface ExplainingProcess {
    readonly id: string;
    /** Files that have changed since the rows were stored. */
    readonly changed: readonly string[];
    /** Answers in time, or ends the process. An answer that the caller no longer awaits is given up. */
    readonly ask: Evaluation['ask'];
}

/** The processes that are kept for further questions. */
export interface ExplainingProcesses {
    withId(id: string): ExplainingProcess | undefined;
    /** The one that explains what this key stands for. */
    withKey(key: string): ExplainingProcess | undefined;
    keep(key: string, concept: string, evaluation: Evaluation): ExplainingProcess;
    close(): void;
}

/** Processes that are kept. */
export const KEPT = 2;
/** Milliseconds without a question after which one goes, and for a question. */
const IDLE = 5 * 60_000;
const ANSWER_LIMIT = 60_000;
const SECOND = 1000;
/** Questions that wait for their answers. */
const MOST_ASKED = 32;

interface Kept extends ExplainingProcess {
    readonly key: string;
    readonly evaluation: Evaluation;
    asked: number;
    timer: NodeJS.Timeout | undefined;
}

export function explainingProcesses(): ExplainingProcesses {
    /** Processes by key; the one asked last comes last. */
    const kept = new Map<string, Kept>();
    let asked = 0;

    const drop = (one: Kept): void => {
        clearTimeout(one.timer);
        kept.delete(one.id);
        one.evaluation.close();
    };
    /** Ends those that are too many, but none that has a question to answer. */
    const trim = (): void => {
        for (const one of kept.values()) {
            if (kept.size <= KEPT) return;
            if (one.asked === 0) drop(one);
        }
    };
    const rest = (one: Kept): void => {
        clearTimeout(one.timer);
        one.timer = setTimeout(() => drop(one), IDLE).unref();
        trim();
    };

    const make = (key: string, concept: string, evaluation: Evaluation): Kept => ({
        id: randomUUID(),
        key,
        evaluation,
        changed: evaluation.chain.changed ?? [],
        asked: 0,
        timer: undefined,
        async ask(method, params, caller) {
            if (asked >= MOST_ASKED) throw apiError('engine_busy', [], { headers: { 'Retry-After': '1' } });
            let isLate = false;
            const late = setTimeout(() => {
                isLate = true;
                drop(this);
            }, ANSWER_LIMIT);
            clearTimeout(this.timer);
            kept.delete(this.id);
            kept.set(this.id, this);
            asked++;
            this.asked++;
            try {
                return await evaluation.ask(method, params, caller);
            } catch (error) {
                if (isLate) throw apiError('evaluation_timeout', [ANSWER_LIMIT / SECOND]);
                if (!kept.has(this.id)) throw apiError('explanation_not_found', []);
                throw error instanceof Refusal ? notExplainable(concept, error.message) : error;
            } finally {
                clearTimeout(late);
                asked--;
                this.asked--;
                if (this.asked === 0 && kept.has(this.id)) rest(this);
            }
        },
    });

    return {
        withId: id => kept.get(id),
        withKey: key => [...kept.values()].find(one => one.key === key),
        keep: (key, concept, evaluation) => {
            const one = make(key, concept, evaluation);
            kept.set(one.id, one);
            void evaluation.gone.then(() => drop(one));
            rest(one);
            return one;
        },
        close: () => {
            for (const one of kept.values()) drop(one);
        },
    };
}

/** The error for rows without explanation; the reason becomes part of a sentence. */
export function notExplainable(concept: string, reason: string): Error {
    return apiError('not_explainable', [concept, uncapitalised(reason)], {
        details: { concept_name: concept },
    });
}
