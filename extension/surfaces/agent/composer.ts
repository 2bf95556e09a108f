import { bytesTooMany } from '#server/protocol/agent-message.ts';
import { element, iconButton, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { visible, visibleLines } from '../visible-text.ts';
import { fittingNames, type Mention, mentionAt, withMention } from './mentions.ts';
import type { Attachment } from './transcript.ts';

export interface ComposerEvents {
    send(words: string): void;
    stop(): void;
    detach(index: number): void;
    /** The words have changed, and are to be kept. */
    written(words: string): void;
    modelAsked(button: HTMLElement): void;
    announce(text: string): void;
}

export interface ComposerLook {
    readonly concepts: readonly { readonly name: string; readonly description: string }[];
    readonly attachments: readonly Attachment[];
    readonly running: boolean;
    /** None where no model answers. */
    readonly model: string | undefined;
    readonly placeholder: string;
    readonly disabled: boolean;
}

/** The field for writing a message: Enter sends it, Shift+Enter begins a line, Escape stops the answer, `@` offers concepts. */
export interface Composer {
    readonly root: HTMLElement;
    show(look: ComposerLook): void;
    /** Puts words into an empty field. */
    suggest(words: string): void;
    focus(): void;
}

const MOST_HEIGHT = 200;
const LIST = 'agent-concepts';

export function createComposer(words: string, events: ComposerEvents): Composer {
    const field = element('textarea', {
        class: 'composer-field',
        rows: 1,
        role: 'combobox',
        'aria-label': l10n.t('Message to the agent'),
        'aria-autocomplete': 'list',
        'aria-expanded': false,
        'aria-controls': LIST,
    });
    field.value = words;
    const list = element('div', { class: 'mentions', id: LIST, role: 'listbox', 'aria-label': l10n.t('Concepts'), hidden: true });
    const chips = element('div', { class: 'attachments' });
    const fault = element('p', { class: 'composer-fault small', role: 'alert' });
    const model: HTMLButtonElement = element('button', { type: 'button', class: 'composer-model small', 'aria-haspopup': 'menu' });
    model.addEventListener('click', () => events.modelAsked(model));
    const send = iconButton(icon('send'), l10n.t('Send (Enter)'), () => submit(), { class: 'icon-button composer-send' });
    const stop = iconButton(icon('stop'), l10n.t('Stop (Escape)'), () => events.stop(), {
        class: 'icon-button composer-stop',
        hidden: true,
    });
    const box = element('div', { class: 'composer-box' }, chips, field, element('div', { class: 'composer-row' }, model, stop, send));
    const root = element('div', { class: 'composer' }, list, fault, box);
    let look: ComposerLook | undefined;
    let offered: { readonly mention: Mention; readonly names: readonly { readonly name: string }[]; at: number } | undefined;

    const grow = (): void => {
        field.style.height = 'auto';
        field.style.height = `${Math.min(MOST_HEIGHT, field.scrollHeight)}px`;
    };
    const check = (): void => {
        const excess = bytesTooMany(field.value, look?.attachments ?? []);
        fault.textContent =
            excess === 0 ? '' : l10n.t('The message is {0} bytes too long: shorten it, or remove what is attached.', countText(excess));
        send.disabled = excess > 0 || field.value.trim() === '' || look?.disabled === true;
    };
    const closeList = (): void => {
        offered = undefined;
        list.hidden = true;
        setAttributes(field, { 'aria-expanded': false, 'aria-activedescendant': undefined });
    };
    const drawList = (): void => {
        if (offered === undefined) return;
        const { names, at } = offered;
        list.replaceChildren(
            ...names.map(({ name }, index) => {
                const about = look?.concepts.find(concept => concept.name === name)?.description ?? '';
                const option = element(
                    'div',
                    { class: 'mention', role: 'option', id: `${LIST}-${index}`, 'aria-selected': index === at },
                    element('span', { class: 'value' }, visible(name)),
                    element('span', { class: 'muted small' }, visible(about)),
                );
                // The field keeps the focus.
                option.addEventListener('pointerdown', event => {
                    event.preventDefault();
                    choose(index);
                });
                return option;
            }),
        );
        list.hidden = false;
        setAttributes(field, { 'aria-expanded': true, 'aria-activedescendant': `${LIST}-${at}` });
        list.children[at]?.scrollIntoView({ block: 'nearest' });
    };
    const offer = (): void => {
        const mention = field.selectionStart === field.selectionEnd ? mentionAt(field.value, field.selectionStart) : undefined;
        const names = mention === undefined ? [] : fittingNames(look?.concepts ?? [], mention.written);
        // A name that is written to its end is done.
        const isDone = names.length === 1 && names[0]?.name === mention?.written;
        if (mention === undefined || names.length === 0 || isDone) {
            closeList();
            return;
        }
        offered = { mention, names, at: 0 };
        drawList();
    };
    const choose = (index: number): void => {
        const name = offered?.names[index]?.name;
        if (offered === undefined || name === undefined) return;
        const put = withMention(field.value, offered.mention, name);
        field.value = put.text;
        field.setSelectionRange(put.cursor, put.cursor);
        closeList();
        changed();
    };
    const changed = (): void => {
        grow();
        check();
        events.written(field.value);
    };
    const submit = (): void => {
        const text = field.value.trim();
        check();
        if (text === '' || send.disabled || look?.running) return;
        field.value = '';
        changed();
        events.send(text);
    };
    /** Takes a key for the list of concepts; false where it is closed or the key is none of its own. */
    const listKey = (event: KeyboardEvent): boolean => {
        if (offered === undefined) return false;
        const { names } = offered;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step !== undefined) {
            offered.at = (offered.at + step + names.length) % names.length;
            drawList();
        } else if (event.key === 'Enter' || event.key === 'Tab') choose(offered.at);
        else if (event.key === 'Escape') closeList();
        else return false;
        return true;
    };
    field.addEventListener('input', () => {
        changed();
        offer();
    });
    field.addEventListener('blur', closeList);
    field.addEventListener('keydown', event => {
        if (event.isComposing) return;
        if (listKey(event)) {
            event.preventDefault();
            event.stopPropagation();
        } else if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            submit();
        }
    });
    grow();
    return {
        root,
        show(next) {
            const wasRunning = look?.running === true;
            look = next;
            field.placeholder = next.placeholder;
            field.disabled = next.disabled;
            // Keyboards stay where they are: the one button takes the place of the other.
            const hadFocus = document.activeElement === send || document.activeElement === stop;
            stop.hidden = !next.running;
            send.hidden = next.running;
            if (hadFocus && wasRunning !== next.running) (next.running ? stop : field).focus();
            model.hidden = next.model === undefined;
            model.textContent = next.model ?? '';
            model.setAttribute('aria-label', l10n.t('Model: {0}', next.model ?? ''));
            chips.replaceChildren(...next.attachments.map((one, index) => chipNode(one, index, events)));
            check();
        },
        suggest(text) {
            if (field.value.trim() !== '') return;
            field.value = text;
            const mention = text.search(/@(?!\w)/u);
            const cursor = mention < 0 ? text.length : mention + 1;
            field.setSelectionRange(cursor, cursor);
            changed();
            field.focus();
            offer();
        },
        focus: () => field.focus(),
    };
}

/** An attachment of the message, shown word for word. */
function chipNode({ title, text }: Attachment, index: number, events: ComposerEvents): HTMLElement {
    const remove = iconButton(icon('close'), l10n.t('Remove {0}', visible(title)), () => events.detach(index));
    const summary = element('summary', { title: l10n.t('Shows what is sent') }, icon('attach'), element('span', {}, visible(title)));
    return element(
        'div',
        { class: 'attachment' },
        element('details', {}, summary, element('pre', { tabindex: 0 }, visibleLines(text))),
        remove,
    );
}
