import { speak } from '#extension/surfaces/l10n.ts';
import { type Conversation, READY } from './conversation.ts';

declare function acquireVsCodeApi(): {
    postMessage(message: unknown): void;
    getState(): unknown;
    setState(state: unknown): void;
};

/** The view's end of the conversation with its host. */
export interface HostLink<FromHost, FromView> {
    send(message: FromView): void;
    /** Listens to the host, after a message that the view is ready. */
    listen(listener: (message: FromHost) => void): void;
    /** The state before the view was loaded again. */
    readonly saved: unknown;
    save(state: unknown): void;
}

/** Opens the conversation, and has the view speak the language of the reader. Once in a view. */
export function linkToHost<FromHost, FromView>({ fromHost }: Conversation<FromHost, FromView>): HostLink<FromHost, FromView> {
    // The host has put the words into the page.
    speak(JSON.parse(document.getElementById('words')?.textContent ?? '{}'));
    const api = acquireVsCodeApi();
    return {
        saved: api.getState(),
        save: state => api.setState(state),
        send: message => api.postMessage(message),
        listen(listener) {
            window.addEventListener('message', ({ data }) => {
                if (fromHost(data)) listener(data);
            });
            api.postMessage(READY);
        },
    };
}
