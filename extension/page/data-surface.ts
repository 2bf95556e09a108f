import type { Source } from '#extension/sources/source.ts';
import { byPlace, hostOf, type PlaceOfSources } from '#extension/sources/source-place.ts';
import { rowsText } from '#extension/surfaces/count-words.ts';
import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { hasWords, searchWords } from '#extension/surfaces/search-words.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible } from '#extension/surfaces/visible-text.ts';

/** What is done with sources, below a button where there are several things. */
export interface DataActions {
    connect(): void;
    offerPlace(button: HTMLElement, place: PlaceOfSources): void;
    offerTable(button: HTMLElement, source: Source): void;
}

interface DataEvents {
    readonly mayChange: boolean;
    readonly actions: DataActions;
    /** Shows the first rows of a table, and what a column of it holds. */
    open(id: string, column?: string): void;
}

/** What a reader chose: it stays while the page is open. */
const choice = { filter: '', expanded: new Set<string>() };

/** Sources, their tables, and the columns of these with their types. */
export function dataSurface(sources: readonly Source[], events: DataEvents): HTMLElement {
    const { mayChange, actions } = events;
    const connect = { label: l10n.t('Connect a source'), act: actions.connect };
    if (sources.length === 0)
        return stateSurface({
            picture: 'data',
            title: l10n.t('No sources yet'),
            text: l10n.t('A source is a file or a database whose tables rules read. Its rows stay where they are.'),
            ...(mayChange && { action: connect }),
        });
    const filter = element('input', {
        type: 'search',
        class: 'data-filter',
        placeholder: l10n.t('Filter'),
        'aria-label': l10n.t('Filter sources, tables and columns'),
        value: choice.filter,
        spellcheck: 'false',
    });
    const list = element('div', { class: 'source-places' });
    const add = element('button', { type: 'button', class: 'button' }, connect.label);
    add.addEventListener('click', connect.act);
    const draw = (): void => {
        choice.filter = filter.value;
        const words = searchWords(filter.value);
        const shown = byPlace(sources).flatMap(place => placeSection(place, words, events) ?? []);
        list.replaceChildren(...shown);
        if (shown.length === 0) list.append(element('p', { class: 'muted', role: 'status' }, l10n.t('Nothing matches.')));
    };
    filter.addEventListener('input', draw);
    draw();
    return element(
        'div',
        { class: 'sheet-of-project data' },
        element('div', { class: 'project-head' }, element('h1', {}, l10n.t('Data')), mayChange ? add : undefined),
        filter,
        list,
    );
}

/** Of the tables those that are looked for; all where the place itself is. */
function placeSection(place: PlaceOfSources, words: readonly string[], events: DataEvents): HTMLElement | undefined {
    const { sources } = place;
    const [first] = sources;
    const about = [first.database_type, hostOf(first), first.scope === 'organization' ? l10n.t('organization') : ''].filter(Boolean);
    const isMeant = hasWords(words, first.database_name, ...about);
    const tables = sources.filter(source => isMeant || hasWords(words, source.name, ...source.columns.map(column => column.name)));
    if (tables.length === 0) return undefined;
    const name = visible(first.database_name);
    const { actions, mayChange } = events;
    const more = iconButton(icon('more'), l10n.t('What to do with {0}', name), () => actions.offerPlace(more, place), {
        'aria-haspopup': 'menu',
    });
    return element(
        'section',
        { class: 'source-place', 'aria-label': name },
        element(
            'div',
            { class: 'place-head' },
            icon(first.type === 'file' ? 'list' : 'data'),
            element('h2', {}, name),
            element('span', { class: 'muted small place-about' }, visible(about.join(' · '))),
            mayChange ? more : undefined,
        ),
        element('ul', { class: 'tables' }, ...tables.map(source => tableItem(source, isMeant ? [] : words, events))),
    );
}

function tableItem(source: Source, words: readonly string[], events: DataEvents): HTMLElement {
    const { id, columns, row_count: rows, type } = source;
    const name = visible(source.name);
    const listId = `columns-of-${id}`;
    const list = element('ul', { class: 'data-columns', id: listId }, ...columns.map(column => columnItem(source, column, events)));
    const toggle = iconButton(icon('chevron'), l10n.t('Columns of {0}', name), () => show(list.hidden !== false), {
        'aria-controls': listId,
    });
    const show = (isShown: boolean): void => {
        list.hidden = !isShown;
        toggle.setAttribute('aria-expanded', String(isShown));
        if (isShown) choice.expanded.add(id);
        else choice.expanded.delete(id);
    };
    const isFound = words.length > 0 && !hasWords(words, source.name);
    list.hidden = !isFound && !choice.expanded.has(id);
    toggle.setAttribute('aria-expanded', String(!list.hidden));
    const open = element('button', { type: 'button', class: 'link value', title: l10n.t('Show the first rows') }, name);
    open.addEventListener('click', () => events.open(id));
    const more = iconButton(icon('more'), l10n.t('What to do with {0}', name), () => events.actions.offerTable(more, source), {
        'aria-haspopup': 'menu',
    });
    const about = [
        type === 'view' ? l10n.t('view') : '',
        rows === null ? '' : rowsText(rows),
        columns.length === 1 ? l10n.t('1 column') : l10n.t('{0} columns', columns.length),
    ];
    const row = element(
        'div',
        { class: 'table-row' },
        toggle,
        events.mayChange ? open : element('span', { class: 'value' }, name),
        element('span', { class: 'muted small' }, about.filter(Boolean).join(' · ')),
        more,
    );
    row.addEventListener('contextmenu', event => {
        event.preventDefault();
        events.actions.offerTable(more, source);
    });
    return element('li', {}, row, list);
}

/** A column and its type; whoever may have rows read may have its values counted. */
function columnItem({ id }: Source, { name, type }: Source['columns'][number], { mayChange, open }: DataEvents): HTMLElement {
    const shown = visible(name);
    const profile = element('button', { type: 'button', class: 'link value', title: l10n.t('Profile of {0}', shown) }, shown);
    profile.addEventListener('click', () => open(id, name));
    return element(
        'li',
        {},
        mayChange ? profile : element('span', { class: 'value' }, shown),
        element('span', { class: 'muted small' }, type.toLowerCase()),
    );
}
