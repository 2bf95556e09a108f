import type { LanguageClient } from '#extension/page/editor/language-client.ts';
import { saveFile } from '#extension/page/saved-file.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { createGraphWalk } from '#extension/webviews/graph/graph-walk.ts';
import { GRAPH, type HostMessage } from '#extension/webviews/graph/messages.ts';
import { WHOLE } from '#extension/webviews/graph/part.ts';
import type { PlaygroundMethods, PredicatePlace } from '../language/messages.ts';
import { openView, type ViewFrame } from './view-frame.ts';

export interface GraphEvents {
    program(): string;
    open(place: PredicatePlace): void;
    pressed(event: KeyboardEvent): void;
    failed(reason: unknown): void;
}

/** The dependency graph of the program, in a frame. */
export interface GraphHost extends Pick<ViewFrame<HostMessage>, 'root' | 'focus'> {
    /** The program has changed. */
    update(): void;
    /** The program is another one. */
    renew(): void;
    shown(): void;
}

export function createGraphHost(language: LanguageClient<PlaygroundMethods>, events: GraphEvents): GraphHost {
    const walk = createGraphWalk(
        {
            get name() {
                return events.program();
            },
            uri: '',
            graph: ({ focus, ...part }) => language.ask('graph', { ...(focus && { focus }), ...part }),
            async reveal(predicate) {
                const place = await language.ask('place', predicate);
                if (place !== null) events.open(place);
            },
            save: async ({ format, content }) => saveFile(`${events.program()}.${format}`, content),
        },
        message => void view.post(message),
    );
    /** Work that waits until the graph is visible: a hidden one has no size. */
    let waiting: 'nothing' | 'update' | 'renew' = 'nothing';
    const act = (wanted: 'update' | 'renew'): void => {
        if (view.root.hidden) {
            if (waiting !== 'renew') waiting = wanted;
        } else if (wanted === 'renew') view.renew();
        else void walk.draw().catch(events.failed);
    };
    const view = openView(GRAPH, {
        title: l10n.t('Dependencies'),
        ready: () => void walk.show(WHOLE).catch(events.failed),
        receive: message => void walk.receive(message).catch(events.failed),
        pressed: events.pressed,
    });
    return {
        root: view.root,
        focus: view.focus,
        update: () => act('update'),
        renew: () => act('renew'),
        shown() {
            if (waiting !== 'nothing') act(waiting);
            waiting = 'nothing';
        },
    };
}
