import type { OutputColumn, OutputSummary, RowFilter } from '#server/protocol/runs.ts';
import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';

export interface MissingSheetEvents {
    /** What the columns equal that matter. */
    asked(values: readonly RowFilter[]): void;
    closed(): void;
}

interface Form {
    readonly pattern: string;
    readonly title: string;
}

/** What a value looks like that a column may be asked for; texts are taken as they are. */
function formOf(shape: OutputColumn['shape']): Form | undefined {
    switch (shape) {
        case 'number':
            return { pattern: String.raw`-?\d+(\.\d+)?([eE][+\-]?\d+)?`, title: l10n.t('A number, such as 12 or 0.5') };
        case 'time':
            return {
                pattern: String.raw`\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2}(\.\d+)?)?`,
                title: l10n.t('A date such as 2031-04-09, or with a time: 2031-04-09 10:15:00'),
            };
        case 'boolean':
            return { pattern: 'true|false', title: l10n.t('true or false') };
        case 'text':
        case 'collection':
            return undefined;
    }
}

/** Asks which row is missing: a value for each column that matters, beginning with those of `filters` that say what a column equals. */
export function openMissingSheet(output: OutputSummary, filters: readonly RowFilter[], events: MissingSheetEvents): void {
    const fields = output.columns.map(({ name, shape }, column) => {
        const input = element('input', {
            type: 'text',
            placeholder: l10n.t('any value'),
            spellcheck: 'false',
            autocomplete: 'off',
            'aria-label': visible(name),
            disabled: shape === 'collection',
            ...formOf(shape),
        });
        input.value = filters.find(one => one.column === column && one.operator === 'equals')?.value ?? '';
        return { name, column, input };
    });
    const cancel = element('button', { type: 'button', class: 'button secondary' }, l10n.t('Cancel'));
    const form = element(
        'form',
        { class: 'missing-form' },
        element('h2', { id: 'missing-title' }, l10n.t('Which row is missing?')),
        element('p', { class: 'muted' }, l10n.t('Give the values that matter; any value will do in the other columns.')),
        element(
            'div',
            { class: 'fields' },
            ...fields.map(({ name, input }) => element('label', {}, element('span', { class: 'value' }, visible(name)), input)),
        ),
        element('div', { class: 'sheet-end' }, cancel, element('button', { type: 'submit', class: 'button' }, l10n.t('Ask'))),
    );
    const dialog = element('dialog', { class: 'sheet', 'aria-labelledby': 'missing-title' }, form);
    let values: readonly RowFilter[] | undefined;
    form.addEventListener('submit', event => {
        event.preventDefault();
        values = fields.flatMap(({ column, input }): RowFilter[] =>
            input.value === '' ? [] : [{ column, operator: 'equals', value: input.value }],
        );
        dialog.close();
    });
    cancel.addEventListener('click', () => dialog.close());
    // Keys of the page behind mean nothing here.
    dialog.addEventListener('keydown', event => event.stopPropagation());
    dialog.addEventListener('close', () => {
        dialog.remove();
        if (values === undefined) events.closed();
        else events.asked(values);
    });
    document.body.append(dialog);
    dialog.showModal();
}
