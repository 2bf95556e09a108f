import { l10n } from 'vscode';
import { failureText } from '#extension/platform/failure-text.ts';
import type { Projects } from '#extension/projects/projects.ts';
import { exactJson } from '#server/client/exact-json.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import type { RelayAnswer, RelayQuestion, Route } from './relay.ts';

/** Asks the services in the place of a view. */
export interface Relay<R extends Route> {
    take(question: RelayQuestion<R>): void;
    /** Ends what is asked. */
    leave(): void;
}

/** `placed` makes the call that is sent of the one that the view asks for, which may say anything. */
export function createRelay<R extends Route>(
    projects: Projects,
    placed: (route: R, call: unknown) => unknown,
    post: (answer: RelayAnswer) => void,
): Relay<R> {
    const asked = new Map<number, AbortController>();
    const answer = async ({ id, route, call }: Extract<RelayQuestion<R>, { kind: 'ask' }>): Promise<void> => {
        const connection = projects.connection();
        if (connection === undefined) {
            post({ kind: 'refused', id, status: 0, code: 'not_connected', message: l10n.t('The services are not connected.') });
            return;
        }
        const abort = new AbortController();
        asked.set(id, abort);
        try {
            const ask = connection.client[route] as (call: unknown, signal: AbortSignal) => Promise<unknown>;
            post({ kind: 'answer', id, answer: jsonOf(await ask(placed(route, exactJson(call)), abort.signal)) });
        } catch (reason) {
            const known = reason instanceof PlatformError ? reason : { status: 0, code: '' };
            if (!abort.signal.aborted) post({ kind: 'refused', id, status: known.status, code: known.code, message: failureText(reason) });
        } finally {
            asked.delete(id);
        }
    };
    return {
        take: question => (question.kind === 'ask' ? void answer(question) : asked.get(question.id)?.abort()),
        leave() {
            for (const abort of asked.values()) abort.abort();
        },
    };
}
