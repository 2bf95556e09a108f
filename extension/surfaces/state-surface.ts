import { element } from './dom.ts';
import { type IconName, icon } from './icons.ts';

interface StateAction {
    readonly label: string;
    act(): void;
}

interface StateText {
    readonly picture: IconName;
    readonly tone?: 'error' | 'warning';
    readonly title: string;
    readonly text?: string;
    /** The one thing to do next. */
    readonly action?: StateAction;
    /** A lesser way out, as a link. */
    readonly other?: StateAction;
}

/** A surface without rows: what is so, why, and what to do. */
export function stateSurface({ picture, tone, title, text, action, other }: StateText, details?: HTMLElement): HTMLElement {
    const buttons = element('div', { class: 'state-actions' });
    if (action) buttons.append(actionButton('button', action));
    if (other) buttons.append(actionButton('link', other));
    return element(
        'div',
        { class: `state ${tone ?? ''} ${details === undefined ? '' : 'with-details'}`, role: tone === 'error' ? 'alert' : 'status' },
        element('div', { class: 'state-picture' }, icon(picture)),
        element('h2', {}, title),
        text === undefined ? undefined : element('p', {}, text),
        details,
        action === undefined && other === undefined ? undefined : buttons,
    );
}

function actionButton(kind: 'button' | 'link', { label, act }: StateAction): HTMLElement {
    const made = element('button', { type: 'button', class: kind }, label);
    made.addEventListener('click', act);
    return made;
}
