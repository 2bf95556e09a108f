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
    return new WordsComposer(words, events);
}

class WordsComposer implements Composer {
    readonly #events: ComposerEvents;
    readonly #field = element('textarea', {
        class: 'composer-field',
        rows: 1,
        role: 'combobox',
        'aria-label': l10n.t('Message to the agent'),
        'aria-autocomplete': 'list',
        'aria-expanded': false,
        'aria-controls': LIST,
    });
    readonly #list = element('div', { class: 'mentions', id: LIST, role: 'listbox', 'aria-label': l10n.t('Concepts'), hidden: true });
    readonly #chips = element('div', { class: 'attachments' });
    readonly #fault = element('p', { class: 'composer-fault small', role: 'alert' });
    readonly #model: HTMLButtonElement = element('button', { type: 'button', class: 'composer-model small', 'aria-haspopup': 'menu' });
    readonly #send: HTMLButtonElement;
    readonly #stop: HTMLButtonElement;
    readonly #box: HTMLElement;
    readonly root: HTMLElement;
    #look: ComposerLook | undefined;
    #offered: { readonly mention: Mention; readonly names: readonly { readonly name: string }[]; at: number } | undefined;

    constructor(words: string, events: ComposerEvents) {
        this.#events = events;
        this.#field.value = words;
        this.#model.addEventListener('click', () => this.#events.modelAsked(this.#model));
        this.#send = iconButton(icon('send'), l10n.t('Send (Enter)'), () => this.#submit(), { class: 'icon-button composer-send' });
        this.#stop = iconButton(icon('stop'), l10n.t('Stop (Escape)'), () => this.#events.stop(), {
            class: 'icon-button composer-stop',
            hidden: true,
        });
        this.#box = element(
            'div',
            { class: 'composer-box' },
            this.#chips,
            this.#field,
            element('div', { class: 'composer-row' }, this.#model, this.#stop, this.#send),
        );
        this.root = element('div', { class: 'composer' }, this.#list, this.#fault, this.#box);
        this.#field.addEventListener('input', () => {
            this.#changed();
            this.#offer();
        });
        this.#field.addEventListener('blur', () => this.#closeList());
        this.#field.addEventListener('keydown', event => {
            if (event.isComposing) return;
            if (this.#listKey(event)) {
                event.preventDefault();
                event.stopPropagation();
            } else if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault();
                this.#submit();
            }
        });
        this.#grow();
    }

    show(next: ComposerLook): void {
        const wasRunning = this.#look?.running === true;
        this.#look = next;
        this.#field.placeholder = next.placeholder;
        this.#field.disabled = next.disabled;
        // Keyboards stay where they are: the one button takes the place of the other.
        const hadFocus = document.activeElement === this.#send || document.activeElement === this.#stop;
        this.#stop.hidden = !next.running;
        this.#send.hidden = next.running;
        if (hadFocus && wasRunning !== next.running) (next.running ? this.#stop : this.#field).focus();
        this.#model.hidden = next.model === undefined;
        this.#model.textContent = next.model ?? '';
        this.#model.setAttribute('aria-label', l10n.t('Model: {0}', next.model ?? ''));
        this.#chips.replaceChildren(...next.attachments.map((one, index) => chipNode(one, index, this.#events)));
        this.#check();
    }

    suggest(text: string): void {
        if (this.#field.value.trim() !== '') return;
        this.#field.value = text;
        const mention = text.search(/@(?!\w)/u);
        const cursor = mention < 0 ? text.length : mention + 1;
        this.#field.setSelectionRange(cursor, cursor);
        this.#changed();
        this.#field.focus();
        this.#offer();
    }

    focus(): void {
        this.#field.focus();
    }

    #grow(): void {
        this.#field.style.height = 'auto';
        this.#field.style.height = `${Math.min(MOST_HEIGHT, this.#field.scrollHeight)}px`;
    }

    #check(): void {
        const excess = bytesTooMany(this.#field.value, this.#look?.attachments ?? []);
        this.#fault.textContent =
            excess === 0 ? '' : l10n.t('The message is {0} bytes too long: shorten it, or remove what is attached.', countText(excess));
        this.#send.disabled = excess > 0 || this.#field.value.trim() === '' || this.#look?.disabled === true;
    }

    #closeList(): void {
        this.#offered = undefined;
        this.#list.hidden = true;
        setAttributes(this.#field, { 'aria-expanded': false, 'aria-activedescendant': undefined });
    }

    #drawList(): void {
        if (this.#offered === undefined) return;
        const { names, at } = this.#offered;
        this.#list.replaceChildren(
            ...names.map(({ name }, index) => {
                const about = this.#look?.concepts.find(concept => concept.name === name)?.description ?? '';
                const option = element(
                    'div',
                    { class: 'mention', role: 'option', id: `${LIST}-${index}`, 'aria-selected': index === at },
                    element('span', { class: 'value' }, visible(name)),
                    element('span', { class: 'muted small' }, visible(about)),
                );
                // The field keeps the focus.
                option.addEventListener('pointerdown', event => {
                    event.preventDefault();
                    this.#choose(index);
                });
                return option;
            }),
        );
        this.#list.hidden = false;
        setAttributes(this.#field, { 'aria-expanded': true, 'aria-activedescendant': `${LIST}-${at}` });
        this.#list.children[at]?.scrollIntoView({ block: 'nearest' });
    }

    #offer(): void {
        const mention =
            this.#field.selectionStart === this.#field.selectionEnd ? mentionAt(this.#field.value, this.#field.selectionStart) : undefined;
        const names = mention === undefined ? [] : fittingNames(this.#look?.concepts ?? [], mention.written);
        // A name that is written to its end is done.
        const isDone = names.length === 1 && names[0]?.name === mention?.written;
        if (mention === undefined || names.length === 0 || isDone) {
            this.#closeList();
            return;
        }
        this.#offered = { mention, names, at: 0 };
        this.#drawList();
    }

    #choose(index: number): void {
        const name = this.#offered?.names[index]?.name;
        if (this.#offered === undefined || name === undefined) return;
        const put = withMention(this.#field.value, this.#offered.mention, name);
        this.#field.value = put.text;
        this.#field.setSelectionRange(put.cursor, put.cursor);
        this.#closeList();
        this.#changed();
    }

    #changed(): void {
        this.#grow();
        this.#check();
        this.#events.written(this.#field.value);
    }

    #submit(): void {
        const text = this.#field.value.trim();
        this.#check();
        if (text === '' || this.#send.disabled || this.#look?.running) return;
        this.#field.value = '';
        this.#changed();
        this.#events.send(text);
    }

    /** Takes a key for the list of concepts; false where it is closed or the key is none of its own. */
    #listKey(event: KeyboardEvent): boolean {
        if (this.#offered === undefined) return false;
        const { names } = this.#offered;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step !== undefined) {
            this.#offered.at = (this.#offered.at + step + names.length) % names.length;
            this.#drawList();
        } else if (event.key === 'Enter' || event.key === 'Tab') this.#choose(this.#offered.at);
        else if (event.key === 'Escape') this.#closeList();
        else return false;
        return true;
    }
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
