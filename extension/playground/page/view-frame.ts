import { element } from '#extension/surfaces/dom.ts';
import { type Conversation, isReady } from '#extension/webviews/conversation.ts';

/** The page's end of a conversation with a view that has a frame of its own. */
export interface ViewHost<FromView> {
    readonly title: string;
    /** The view listens from now on. */
    ready(): void;
    receive(message: FromView): void;
    /** A key that the view has not used. */
    pressed(event: KeyboardEvent): void;
}

export interface ViewFrame<FromHost> {
    readonly root: HTMLIFrameElement;
    /** Tells the view something, once it listens; says whether it does. */
    post(message: FromHost): boolean;
    focus(): void;
    /** Loads the view anew. */
    renew(): void;
}

/** Loads a view, `<name>.html`, into a frame of the page. */
export function openView<FromHost, FromView>(
    { name, fromView }: Conversation<FromHost, FromView>,
    { title, ready, receive, pressed }: ViewHost<FromView>,
): ViewFrame<FromHost> {
    const root = element('iframe', { class: 'view-frame', src: `${name}.html`, title });
    let isListening = false;
    window.addEventListener('message', ({ source, origin, data }) => {
        if (source !== root.contentWindow || origin !== location.origin) return;
        if (isReady(data)) {
            isListening = true;
            ready();
        } else if (fromView(data)) receive(data);
    });
    root.addEventListener('load', () => root.contentWindow?.addEventListener('keydown', pressed));
    return {
        root,
        post(message) {
            if (isListening) root.contentWindow?.postMessage(message, location.origin);
            return isListening;
        },
        renew() {
            isListening = false;
            root.contentWindow?.location.reload();
        },
        focus() {
            root.focus();
            root.contentDocument?.querySelector<HTMLElement>('[role="grid"], [tabindex="0"], button')?.focus();
        },
    };
}
