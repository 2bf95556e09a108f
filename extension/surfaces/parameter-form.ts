import { namesSecret } from '#server/protocol/secret-names.ts';
import { element } from './dom.ts';
import { l10n } from './l10n.ts';
import { visible } from './visible-text.ts';

export interface ShownParameter {
    readonly name: string;
    /** Of its default, as programs have it. */
    readonly type?: string | undefined;
    /** As one writes it; none where the program declares no default. */
    readonly usual?: string | undefined;
    /** Its last value as the user wrote it. */
    readonly written?: string | undefined;
    /** The field hides its text from onlookers; a parameter with the name of a secret always is one. */
    readonly secret?: true | undefined;
}

export type Written = { readonly name: string; readonly written: string };

export interface ParameterEvents {
    run(values: readonly Written[]): void;
    stop(): void;
}

/** A form for the parameters of a concept or a program, with the button that runs it. */
export interface ParameterForm {
    readonly root: HTMLElement;
    show(parameters: readonly ShownParameter[], mayRun: boolean): void;
    running(isRunning: boolean): void;
    values(): readonly Written[];
    /** Writes values into the fields; those that are not among them are left to their defaults, and secrets as they are. */
    fill(values: readonly Written[]): void;
}

export function createParameterForm({ run, stop }: ParameterEvents): ParameterForm {
    const fields = element('div', { class: 'parameter-fields' });
    const button = element('button', { type: 'submit', class: 'button' }, l10n.t('Run'));
    const root = element('form', { class: 'parameter-form', 'aria-label': l10n.t('Run') }, fields, button);
    let isRunning = false;
    root.addEventListener('submit', event => {
        event.preventDefault();
        if (isRunning) {
            stop();
            return;
        }
        const wrong = inputs().find(input => complaint(input) !== undefined);
        if (wrong === undefined) run(values());
        else wrong.focus();
    });
    const inputs = (): (HTMLInputElement | HTMLSelectElement)[] => [...fields.querySelectorAll<HTMLInputElement>('input, select')];
    const values = (): readonly Written[] => inputs().map(({ name, value }) => ({ name, written: value }));
    return {
        root,
        show(parameters, mayRun) {
            root.hidden = !mayRun;
            fields.replaceChildren(
                ...parameters.map(parameter =>
                    element('label', {}, element('span', { class: 'value' }, visible(parameter.name)), ...fieldOf(parameter)),
                ),
            );
        },
        running(now) {
            isRunning = now;
            button.textContent = now ? l10n.t('Stop') : l10n.t('Run');
        },
        values,
        fill(given) {
            const texts = new Map(given.map(({ name, written }) => [name, written]));
            for (const input of inputs()) {
                if (input.type === 'password') continue;
                input.value = texts.get(input.name) ?? '';
                input.dispatchEvent(new Event('input'));
            }
        },
    };
}

/** A field for the values of a type, and the place of a complaint about what is written there. */
function fieldOf({ name, type = '', usual, written = '', secret }: ShownParameter): HTMLElement[] {
    const isSecret = secret || namesSecret(name);
    const placeholder = usual === undefined ? l10n.t('needed') : isSecret ? '•••' : visible(usual);
    if (type === 'boolean' && !isSecret) {
        const choices = [['', placeholder] as const, ['true', 'true'] as const, ['false', 'false'] as const];
        const options = choices.map(([value, text]) => element('option', { value }, text));
        const select = element('select', { name }, ...options);
        select.value = written.toLowerCase();
        return [select];
    }
    const wrong = element('span', { class: 'parameter-wrong small', role: 'status' });
    const input = element('input', {
        type: isSecret ? 'password' : 'text',
        ...(isSecret && { autocomplete: 'off' }),
        name,
        value: written,
        placeholder,
        'data-type': type,
        ...(NUMBERS.has(type) && { inputmode: 'decimal' }),
        spellcheck: 'false',
    });
    const check = (): void => {
        wrong.textContent = complaint(input) ?? '';
        input.toggleAttribute('aria-invalid', wrong.textContent !== '');
    };
    input.addEventListener('input', check);
    check();
    return [input, wrong];
}

const WHOLE: ReadonlySet<string> = new Set(['int', 'long']);
const NUMBERS: ReadonlySet<string> = new Set([...WHOLE, 'double', 'float', 'decimal']);

/** Describes a mistake in a field; an empty field means the default. */
function complaint({ value, dataset: { type = '' } }: HTMLInputElement | HTMLSelectElement): string | undefined {
    const text = value.trim();
    if (text === '') return undefined;
    if (WHOLE.has(type)) return /^[+-]?\d+$/u.test(text) ? undefined : l10n.t('A whole number');
    if (NUMBERS.has(type)) return Number.isFinite(Number(text)) ? undefined : l10n.t('A number, such as 1.5');
    if (type === 'date') return isDate(text) ? undefined : l10n.t('A date, such as 2031-04-09');
    if (/^(?:list|set)\b/u.test(type)) return isList(text) ? undefined : l10n.t('A list, such as ["a", "b"]');
    return undefined;
}

function isDate(text: string): boolean {
    return /^\d{4,}-\d\d-\d\d$/u.test(text) && !Number.isNaN(Date.parse(text));
}

function isList(text: string): boolean {
    try {
        return Array.isArray(JSON.parse(text));
    } catch {
        return false;
    }
}
