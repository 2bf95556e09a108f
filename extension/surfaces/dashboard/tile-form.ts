import { CHART_KINDS } from '../chart/chart-data.ts';
import { kindName as chartName, columnQuestions } from '../chart/chart-words.ts';
import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';
import type { DashboardConcept } from './dashboard-host.ts';
import { type Content, MEASURES, type Measure, type Tile } from './definition.ts';
import { kindName, nameOfTile } from './tile-frame.ts';

export interface FormEvents {
    changed(tile: Tile): void;
    closed(): void;
}

type Item = readonly [value: string, label: string];

/** A form for the content and the title of a tile; each change counts at once. */
export function tileForm(first: Tile, concepts: readonly DashboardConcept[], events: FormEvents): HTMLElement {
    let tile = first;
    const fields = element('div', { class: 'form-fields' });
    const change = (content: Content, title = tile.title): void => {
        tile = { ...tile, title, content };
        events.changed(tile);
    };
    /** Others than the one that was changed have other choices then. */
    const changeAll = (content: Content): void => {
        const at = [...fields.querySelectorAll('input, select, textarea')].indexOf(document.activeElement as Element);
        change(content);
        draw();
        fields.querySelectorAll<HTMLElement>('input, select, textarea')[at]?.focus();
    };
    const draw = (): void => {
        fields.replaceChildren(
            textField(l10n.t('Title'), tile.title, title => change(tile.content, title)),
            ...fieldsOf(tile.content, { concepts, change, changeAll }),
        );
    };
    draw();
    const kind = tile.content.kind === 'unknown' ? nameOfTile(tile) : kindName(tile.content.kind);
    const close = iconButton(icon('close'), l10n.t('Close'), () => events.closed());
    const root = element(
        'aside',
        { class: 'tile-form', 'aria-label': l10n.t('Change {0}', nameOfTile(tile)) },
        element('header', {}, element('h2', {}, kind), close),
        fields,
    );
    root.addEventListener('keydown', event => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        events.closed();
    });
    return root;
}

/** The concepts to choose from, and what changes a content; `changeAll` draws the other fields anew, too. */
interface FieldContext {
    readonly concepts: readonly DashboardConcept[];
    change(content: Content): void;
    changeAll(content: Content): void;
}

function fieldsOf(content: Content, context: FieldContext): HTMLElement[] {
    const { concepts, change, changeAll } = context;
    switch (content.kind) {
        case 'text':
            return [areaField(l10n.t('Text; a line that begins with # is a heading'), content.text, text => change({ ...content, text }))];
        case 'rows':
            return [conceptField(concepts, content.concept, concept => changeAll({ ...content, concept }))];
        case 'number':
            return [
                conceptField(concepts, content.concept, concept => changeAll({ ...content, concept })),
                selectField(
                    l10n.t('What'),
                    content.measure,
                    MEASURES.map((one): Item => [one, measureName(one)]),
                    measure => changeAll({ ...content, measure: measure as Measure }),
                ),
                ...(content.measure === 'count'
                    ? []
                    : [
                          selectField(l10n.t('Column'), content.column, columnsOf(concepts, content.concept), column =>
                              change({ ...content, column }),
                          ),
                      ]),
            ];
        case 'chart':
            return [
                conceptField(concepts, content.concept, concept => changeAll({ ...content, concept })),
                selectField(
                    l10n.t('Kind of chart'),
                    content.chart,
                    CHART_KINDS.map((one): Item => [one, chartName(one)]),
                    chart => changeAll({ ...content, chart: CHART_KINDS.find(one => one === chart) ?? 'bar' }),
                ),
                ...chartColumns(content, context),
            ];
        case 'parameter': {
            const known = new Set(concepts.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
            const items = [...new Set(['', content.parameter, ...[...known].sort()])].map((name): Item => [name, name || '—']);
            return [
                selectField(l10n.t('Parameter'), content.parameter, items, parameter => change({ ...content, parameter })),
                textField(l10n.t('Value at first'), content.value, value => change({ ...content, value })),
            ];
        }
        case 'unknown':
            return [];
    }
}

function chartColumns(content: Extract<Content, { kind: 'chart' }>, { concepts, change }: FieldContext): HTMLElement[] {
    const { x, y, by } = columnQuestions(content.chart);
    const items = (none?: string): readonly Item[] => columnsOf(concepts, content.concept, none);
    return [
        selectField(x, content.across, items(), across => change({ ...content, across })),
        ...(y === undefined ? [] : [selectField(y.label, content.up, items(y.none), up => change({ ...content, up }))]),
        ...(by === undefined ? [] : [selectField(by.label, content.by, items(by.none), next => change({ ...content, by: next }))]),
    ];
}

function conceptField(concepts: readonly DashboardConcept[], concept: string, choose: (concept: string) => void): HTMLElement {
    return selectField(l10n.t('Concept'), concept, [['', '—'], ...concepts.map(({ name }): Item => [name, name])], choose);
}

/** The choices of a column of a concept; none of them is `none`. */
function columnsOf(concepts: readonly DashboardConcept[], concept: string, none = '—'): readonly Item[] {
    const columns = concepts.find(({ name }) => name === concept)?.columns ?? [];
    return [['', none], ...columns.map(({ name }): Item => [name, name])];
}

/** A list within its label would be called by its items, too. */
function labelled(label: string, field: HTMLElement): HTMLElement {
    field.setAttribute('aria-label', label);
    return element('label', { class: 'form-field' }, element('span', { class: 'muted small' }, label), field);
}

function textField(label: string, value: string, changed: (value: string) => void): HTMLElement {
    const input = element('input', { type: 'text', value, maxlength: 1000 });
    input.addEventListener('input', () => changed(input.value));
    return labelled(label, input);
}

function areaField(label: string, value: string, changed: (value: string) => void): HTMLElement {
    const input = element('textarea', { rows: 8, maxlength: 20_000 }, value);
    input.addEventListener('input', () => changed(input.value));
    return labelled(label, input);
}

/** A value that is no longer there stays to be seen. */
function selectField(label: string, value: string, items: readonly Item[], choose: (value: string) => void): HTMLElement {
    const all = items.some(([one]) => one === value) ? items : [...items, [value, value] as const];
    const box = element(
        'select',
        {},
        ...all.map(([one, name]) => element('option', { value: one, selected: one === value }, visible(name))),
    );
    box.addEventListener('change', () => choose(box.value));
    return labelled(label, box);
}

function measureName(measure: Measure): string {
    switch (measure) {
        case 'value':
            return l10n.t('A cell of the first row');
        case 'count':
            return l10n.t('Number of rows');
        case 'sum':
            return l10n.t('Sum of a column');
        case 'least':
            return l10n.t('Least value of a column');
        case 'most':
            return l10n.t('Greatest value of a column');
    }
}
