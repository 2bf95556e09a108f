import { rowsText } from '../count-words.ts';
import { element } from '../dom.ts';
import type { Given } from '../given.ts';
import { l10n } from '../l10n.ts';
import type { Picture } from '../pictures/picture.ts';
import { stateSurface } from '../state-surface.ts';
import type { ProfileMessage } from './profile-pane.ts';
import type { SourceMessage } from './source-messages.ts';
import { type SourceRows, sourceRows } from './source-rows.ts';

export interface SourceEvents {
    announce(text: string): void;
    /** The rows are to be read anew. */
    again(): void;
    stop(): void;
    /** Another user or password is to be tried. */
    login(): void;
    /** The values of a column are to be counted. */
    profile(column: string): void;
    /** Called when the user closes the profile. */
    leaveProfile(): void;
    /** Hands rows to the agent: a table in Markdown; absent without an agent. */
    ask?: ((given: Given) => void) | undefined;
    savePicture(picture: Picture): void;
}

/** The first rows of a table, or why there are none, and what a column holds. */
export interface SourceSurface {
    readonly root: HTMLElement;
    show(message: SourceMessage): void;
    /** Takes a key that is pressed anywhere; false where it means nothing. */
    key(event: KeyboardEvent): boolean;
    /** Nothing of it is to stay in sight. */
    leave(): void;
}

export function createSourceSurface(events: SourceEvents): SourceSurface {
    const bar = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': l10n.t('Loading'), hidden: true });
    const content = element('div', { class: 'source-content' });
    const root = element('div', { class: 'source' }, bar, content);
    let rows: SourceRows | undefined;
    /** It is shown beside rows that come later. */
    let profile: ProfileMessage | undefined;
    const leave = (): void => {
        rows?.leave();
        rows = undefined;
    };
    const again = { label: l10n.t('Try again'), act: events.again };
    return {
        root,
        leave,
        key: event => rows?.key(event) ?? false,
        show(message) {
            if (message.kind === 'profiling' || message.kind === 'profile' || message.kind === 'unprofiled') {
                profile = message;
                rows?.showProfile(message);
                return;
            }
            bar.hidden = message.kind !== 'loading';
            switch (message.kind) {
                case 'loading':
                    // Rows of before stay until others are there.
                    if (rows === undefined) content.replaceChildren(loading(message.name, events.stop));
                    break;
                case 'rows':
                    leave();
                    rows = sourceRows(message, {
                        announce: events.announce,
                        again: events.again,
                        profile: events.profile,
                        profileClosed() {
                            profile = undefined;
                            events.leaveProfile();
                        },
                        ask: events.ask,
                        savePicture: events.savePicture,
                    });
                    content.replaceChildren(rows.root);
                    if (profile !== undefined) rows.showProfile(profile);
                    events.announce(rowsText(message.rows.length));
                    break;
                case 'stopped':
                    leave();
                    content.replaceChildren(stateSurface({ picture: 'stop', title: l10n.t('Reading was stopped'), action: again }));
                    break;
                case 'failed': {
                    leave();
                    const login = { label: l10n.t('Enter another password'), act: events.login };
                    content.replaceChildren(
                        stateSurface({
                            picture: 'broken',
                            tone: 'error',
                            title: l10n.t('{0} cannot be read', message.name),
                            text: message.message,
                            ...(message.login ? { action: login, other: again } : { action: again }),
                        }),
                    );
                    break;
                }
            }
        },
    };
}

function loading(name: string, stop: () => void): HTMLElement {
    return stateSurface({
        picture: 'list',
        title: l10n.t('Reading the first rows of {0}', name),
        action: { label: l10n.t('Stop'), act: stop },
    });
}
