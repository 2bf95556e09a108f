import { speakToReader } from '#extension/page/spoken-words.ts';
import { type Conversation, READY } from '#extension/webviews/conversation.ts';
import type { HostLink } from '#extension/webviews/link-to-host.ts';

// A view speaks as soon as it is made.
await speakToReader();

/** The end of a conversation that a view has in a frame of the page, in the place of the one that it has in an editor. Nothing is kept. */
export function linkToHost<FromHost, FromView>({ fromHost }: Conversation<FromHost, FromView>): HostLink<FromHost, FromView> {
    const send = (message: unknown): void => parent.postMessage(message, location.origin);
    return {
        saved: undefined,
        save: () => undefined,
        send,
        listen(listener) {
            window.addEventListener('message', ({ source, data }) => {
                if (source === parent && fromHost(data)) listener(data);
            });
            send(READY);
        },
    };
}
