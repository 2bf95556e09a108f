import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { briefly } from '#extension/surfaces/platform/failure.ts';
import { visible, visibleLines } from '#extension/surfaces/visible-text.ts';
import { PlatformError } from '#server/client/platform-error.ts';

/** What is asked in a sheet, under a name that its value has. */
export interface SheetField {
    readonly name: string;
    readonly label: string;
    /** What stands there at first; nothing where a value of a field of this name is known already. */
    readonly value?: string;
    /** A password is not shown, and gone with the sheet; a flag is `on` or empty. */
    readonly kind?: 'text' | 'password' | 'lines' | 'program' | 'choice' | 'flag';
    /** Of a choice. */
    readonly choices?: readonly { readonly value: string; readonly label: string }[];
    /** What others have written there. */
    readonly suggestions?: readonly string[];
    readonly hint?: string;
    readonly optional?: boolean;
    complaint?(text: string): string | undefined;
}

export type SheetValues = Readonly<Record<string, string>>;

/** What is asked before something is done. */
export interface FormSheet {
    readonly title: string;
    /** What follows from it. */
    readonly text?: string;
    /** They may depend on what is chosen: they are drawn anew then, and keep what was written. */
    fields(values: SheetValues): readonly SheetField[];
    /** What the button says that does it; without one there is nothing to do but to read. */
    readonly label?: string;
    /** Does it, or says why it cannot be done. That, and what the services refuse, is told in the sheet, which stays. */
    act?(values: SheetValues, signal: AbortSignal): Promise<string | undefined>;
    /** What may be done before, as a second button: the sheet stays, and tells what came of it. */
    readonly other?: { readonly label: string; act(values: SheetValues, signal: AbortSignal): Promise<string> };
    /** The sheet is gone, whatever came of it. */
    closed?(): void;
    /** It is as wide as there is room. */
    readonly isWide?: boolean;
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Asks in a sheet above the page. Enter does it; Escape ends what is being done, and leaves the rest as it is. */
export function openFormSheet(sheet: FormSheet): void {
    const { title, text, label, act, other } = sheet;
    const problem = element('p', { class: 'token-problem', role: 'alert' });
    const told = element('p', { class: 'muted', role: 'status' });
    const fields = createFields(sheet, problem, told);
    const cancel = element('button', { type: 'button', class: 'button secondary' }, act === undefined ? l10n.t('Close') : l10n.t('Cancel'));
    const trial = other && element('button', { type: 'button', class: 'button secondary' }, other.label);
    const submit = act && element('button', { type: 'submit', class: 'button' }, label ?? '');
    const form = element(
        'form',
        { class: 'missing-form' },
        element('h2', { id: 'ask-title' }, visible(title)),
        text === undefined ? undefined : element('p', { class: 'muted' }, visibleLines(text)),
        fields.root,
        problem,
        told,
        element('div', { class: 'sheet-end' }, cancel, trial, submit),
    );
    const dialog = element('dialog', { class: sheet.isWide === true ? 'sheet wide' : 'sheet', 'aria-labelledby': 'ask-title' }, form);
    const before = document.activeElement;
    let doing: AbortController | undefined;
    const attempt = async (done: (signal: AbortSignal) => Promise<void>): Promise<void> => {
        if (!form.reportValidity() || !fields.isRight()) return;
        const mine = new AbortController();
        doing = mine;
        for (const button of [submit, trial]) button?.toggleAttribute('disabled', true);
        form.setAttribute('aria-busy', 'true');
        told.textContent = '';
        try {
            await done(mine.signal);
        } catch (error) {
            problem.textContent = error instanceof PlatformError && error.status !== 401 ? error.message : briefly(error);
        }
        doing = undefined;
        for (const button of [submit, trial]) button?.toggleAttribute('disabled', false);
        form.removeAttribute('aria-busy');
    };
    form.addEventListener('submit', event => {
        event.preventDefault();
        if (act === undefined || doing !== undefined) return;
        void attempt(async signal => {
            const complaint = await act(fields.written(), signal);
            if (complaint === undefined) dialog.close();
            problem.textContent = complaint ?? '';
        });
    });
    trial?.addEventListener('click', () => {
        void attempt(async signal => {
            told.textContent = (await other?.act(fields.written(), signal)) ?? '';
        });
    });
    cancel.addEventListener('click', () => dialog.close());
    // Keys of the page behind mean nothing here.
    dialog.addEventListener('keydown', event => event.stopPropagation());
    dialog.addEventListener('close', () => {
        doing?.abort();
        dialog.remove();
        if (before instanceof HTMLElement && before.isConnected) before.focus();
        sheet.closed?.();
    });
    document.body.append(dialog);
    dialog.showModal();
    // What would be lost is not lost by a key that is pressed too soon.
    const first = fields.first();
    (first ?? cancel).focus();
    if (first instanceof HTMLInputElement) first.select();
}

/** The fields of a sheet. They are drawn anew after a choice, and keep what was written. */
interface SheetFields {
    readonly root: HTMLElement;
    written(): SheetValues;
    /** Whether the values can be used; the first field that is wrong has the focus then. */
    isRight(): boolean;
    first(): Input | undefined;
}

function createFields(sheet: FormSheet, problem: HTMLElement, told: HTMLElement): SheetFields {
    const root = element('div', { class: 'fields' });
    const values: Record<string, string> = {};
    let inputs: ReadonlyMap<SheetField, Input> = new Map();
    const draw = (): void => {
        const focused = document.activeElement instanceof HTMLElement ? document.activeElement.getAttribute('name') : null;
        const fields = sheet.fields(values);
        inputs = new Map(fields.map(field => [field, inputOf(field, values[field.name] ?? field.value ?? '')]));
        root.hidden = fields.length === 0;
        root.replaceChildren(...Array.from(inputs, ([field, input]) => labelled(field, input)));
        for (const [field, input] of inputs) {
            values[field.name] = valueIn(input);
            input.addEventListener('input', () => {
                values[field.name] = valueIn(input);
                told.textContent = '';
                problem.textContent = field.complaint?.(trimmed(field, input)) ?? '';
                input.setAttribute('aria-invalid', String(problem.textContent !== ''));
                if (input instanceof HTMLSelectElement) draw();
            });
        }
        [...inputs.values()].find(({ name }) => name === focused)?.focus();
    };
    draw();
    return {
        root,
        written: () => Object.fromEntries(Array.from(inputs, ([field, input]) => [field.name, trimmed(field, input)])),
        isRight() {
            const wrong = [...inputs].find(([field, input]) => field.complaint?.(trimmed(field, input)) !== undefined);
            problem.textContent = wrong?.[0].complaint?.(trimmed(...wrong)) ?? '';
            wrong?.[1].setAttribute('aria-invalid', 'true');
            wrong?.[1].focus();
            return wrong === undefined;
        },
        first: () => [...inputs.values()][0],
    };
}

function valueIn(input: Input): string {
    return input instanceof HTMLInputElement && input.type === 'checkbox' ? (input.checked ? 'on' : '') : input.value;
}

/** Blanks around a value are nobody's wish, but may belong to a password. */
function trimmed({ kind }: SheetField, input: Input): string {
    return kind === 'password' || kind === 'program' ? valueIn(input) : valueIn(input).trim();
}

function inputOf({ name, kind = 'text', choices = [], optional = false, suggestions = [] }: SheetField, value: string): Input {
    const plain = { name, spellcheck: 'false', autocomplete: 'off', required: !optional };
    switch (kind) {
        case 'choice': {
            const options = choices.map(choice => element('option', { value: choice.value }, visible(choice.label)));
            const select = element('select', { name }, ...options);
            if (choices.some(choice => choice.value === value)) select.value = value;
            return select;
        }
        case 'flag':
            return element('input', { type: 'checkbox', name, checked: value !== '' });
        case 'lines':
        case 'program': {
            const isProgram = kind === 'program';
            const area = element('textarea', { ...plain, rows: isProgram ? 16 : 4, class: isProgram ? 'value' : undefined });
            area.value = value;
            return area;
        }
        case 'text':
        case 'password': {
            const list = suggestions.length === 0 ? undefined : `${name}-suggestions`;
            return element('input', { ...plain, type: kind, value, list });
        }
    }
}

function labelled({ name, label, kind, hint, suggestions = [] }: SheetField, input: Input): HTMLElement {
    const hintId = hint === undefined ? undefined : `${name}-hint`;
    if (hintId !== undefined) input.setAttribute('aria-describedby', hintId);
    const options = suggestions.map(text => element('option', { value: text }));
    return element(
        'div',
        { class: kind === 'flag' ? 'field flag' : 'field' },
        element('label', {}, ...(kind === 'flag' ? [input, element('span', {}, label)] : [element('span', {}, visible(label)), input])),
        hint === undefined ? undefined : element('span', { class: 'muted small', id: hintId }, hint),
        options.length === 0 ? undefined : element('datalist', { id: `${name}-suggestions` }, ...options),
    );
}
