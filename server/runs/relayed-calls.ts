import { ProvidedFailed, ProvidedMissing, type Providers } from '#engine/contracts/providers.ts';
import { whileLooked } from '#server/processes/while-looked.ts';
import { MODEL_FUNCTIONS } from '#server/protocol/model-functions.ts';
import type { CallAnswer, ProvidedCalls } from '#server/protocol/run-process.ts';

/** Sends calls to the process that started this process or thread. So this one needs neither keys nor the network. */
export interface RelayedCalls {
    readonly providers: Providers;
    hear(answer: CallAnswer): void;
}

export function relayedCalls(send: (message: ProvidedCalls) => void): RelayedCalls {
    const waiting = new Map<number, (answer: CallAnswer) => void>();
    let last = 0;
    const asked = (name: string, calls: ProvidedCalls['calls'], look: () => void): Promise<CallAnswer> => {
        const id = ++last;
        const answer = new Promise<CallAnswer>(resolve => {
            waiting.set(id, resolve);
            send({ kind: 'call', id, function: name, calls });
        });
        return whileLooked(look, () => answer).finally(() => waiting.delete(id));
    };
    return {
        providers: {
            find: name => {
                if (!MODEL_FUNCTIONS.includes(name)) return undefined;
                return async (calls, look) => {
                    const texts = calls.map(call => call.map(text => text ?? null));
                    const answer = await asked(name, texts, look);
                    if ('replies' in answer) return answer.replies.map(reply => reply ?? undefined);
                    if ('missing' in answer) throw new ProvidedMissing(answer.missing.remedy);
                    throw new ProvidedFailed(answer.failed.message, answer.failed.remedy);
                };
            },
        },
        hear: answer => waiting.get(answer.id)?.(answer),
    };
}

/** Answers the calls of another process or thread. `look` throws if no caller waits any more. */
export async function answerCalls(
    providers: Providers,
    { id, function: name, calls }: ProvidedCalls,
    look: () => void,
): Promise<CallAnswer> {
    const missing = (remedy: string | undefined): CallAnswer => ({ kind: 'called', id, missing: remedy === undefined ? {} : { remedy } });
    const provided = providers.find(name);
    if (provided === undefined) return missing(providers.remedy?.(name));
    try {
        const texts = calls.map(call => call.map(text => text ?? undefined));
        return { kind: 'called', id, replies: (await provided(texts, look)).map(reply => reply ?? null) };
    } catch (error) {
        if (error instanceof ProvidedMissing) return missing(error.remedy);
        if (!(error instanceof ProvidedFailed)) throw error;
        const { message, remedy } = error;
        return { kind: 'called', id, failed: { message, ...(remedy !== undefined && { remedy }) } };
    }
}
