import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { openMenu } from '#extension/surfaces/menu.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { Sample } from './samples.ts';

export interface BarEvents {
    sample(sample: Sample): void;
    /** Begins with an empty program. */
    empty(): void;
    openFiles(): void;
    share(): void;
    keys(button: HTMLElement): void;
    run(): void;
    stop(): void;
}

/** The bar above the page: programs at the left, running at the right. */
export interface PlaygroundBar {
    readonly root: HTMLElement;
    offer(samples: readonly Sample[]): void;
    running(isRunning: boolean): void;
    announce(text: string): void;
}

export function createPlaygroundBar(events: BarEvents): PlaygroundBar {
    let samples: readonly Sample[] = [];
    let isRunning = false;
    const programs = element(
        'button',
        { type: 'button', class: 'button secondary with-picture', 'aria-haspopup': 'menu' },
        l10n.t('Programs'),
        icon('chevron'),
    );
    programs.addEventListener('click', () =>
        openMenu(programs, l10n.t('Programs'), [
            ...samples.map(sample => ({ label: visible(sample.about), detail: sample.name, choose: () => events.sample(sample) })),
            { label: l10n.t('An empty program'), choose: events.empty },
        ]),
    );
    const files = textButton(l10n.t('Open files'), events.openFiles);
    files.title = l10n.t('Open programs (.rulelang) and data such as CSV; they stay in this browser');
    const share = textButton(l10n.t('Share'), events.share);
    share.title = l10n.t('Copy a link that has the program and its data in it');
    const status = element('span', { class: 'muted now', role: 'status' });
    const run = element('button', { type: 'button', class: 'button', title: 'Ctrl+Enter' }, l10n.t('Run'));
    run.addEventListener('click', () => (isRunning ? events.stop() : events.run()));
    const keys: HTMLButtonElement = iconButton(icon('keys'), l10n.t('Keys'), () => events.keys(keys));
    return {
        root: element(
            'header',
            { class: 'playground-bar' },
            element('h1', {}, l10n.t('Rulelang playground')),
            programs,
            files,
            share,
            element('a', { class: 'link', href: 'docs/tutorial/README.html' }, l10n.t('Tutorial')),
            status,
            keys,
            run,
        ),
        offer(known) {
            samples = known;
        },
        running(now) {
            isRunning = now;
            run.textContent = now ? l10n.t('Stop') : l10n.t('Run');
        },
        announce(text) {
            status.textContent = text;
        },
    };
}

function textButton(label: string, act: () => void): HTMLButtonElement {
    const made = element('button', { type: 'button', class: 'button secondary' }, label);
    made.addEventListener('click', act);
    return made;
}
