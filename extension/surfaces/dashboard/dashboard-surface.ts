import { jsonOf } from '#server/protocol/json-text.ts';
import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import { stateSurface } from '../state-surface.ts';
import { visible } from '../visible-text.ts';
import type { DashboardConcept, DashboardHost } from './dashboard-host.ts';
import { addedTile, type Content, type Dashboard, readDashboard, type Tile, writtenDashboard } from './definition.ts';
import { movedTo, packed, stepped } from './layout.ts';
import { createTileBoard, type TileBoard } from './tile-board.ts';
import { tileForm } from './tile-form.ts';
import { kindName, nameOfTile } from './tile-frame.ts';
import { createTileRuns, type TileRuns } from './tile-runs.ts';

/** A dashboard as it is stored, and what of it is not. */
export interface StoredDashboard {
    readonly name: string;
    readonly definition: unknown;
    /** Earlier changes that are not stored. */
    readonly draft?: unknown;
}

export interface DashboardSurface {
    readonly root: HTMLElement;
    /** Takes a key that is pressed anywhere; false where it means nothing. */
    key(event: KeyboardEvent): boolean;
    dispose(): void;
}

/** Changes that can be taken back. */
const UNDONE = 100;

/** A page of tiles: looked at, run and, by those who may, changed and stored. */
export function dashboardSurface({ name, definition, draft }: StoredDashboard, host: DashboardHost): DashboardSurface {
    let dashboard = readDashboard(draft ?? definition);
    /** The stored definition, as it would be written now. */
    let stored = jsonOf(writtenDashboard(readDashboard(definition)));
    let hasChanges = draft !== undefined;
    let isEdited = hasChanges && host.save !== undefined;
    let concepts: readonly DashboardConcept[] = [];
    let changed: Tile['id'] | undefined;
    const undone: Dashboard[] = [];

    const said = element('span', { class: 'muted small', role: 'status' });
    const notice = element('div', { class: 'dashboard-notice', role: 'alert', hidden: true });
    const form = element('div', { class: 'dashboard-form', hidden: true });
    const keys = element(
        'p',
        { id: 'dashboard-keys', class: 'visually-hidden' },
        l10n.t('Arrow keys move the tile, with Shift they size it; Enter changes it, Delete removes it.'),
    );
    const button = (label: string, isMain: boolean, act: () => void): HTMLButtonElement => {
        const made = element('button', { type: 'button', class: isMain ? 'button' : 'button secondary' }, label);
        made.addEventListener('click', act);
        return made;
    };
    const run = button(l10n.t('Run'), true, () => (runs.isRunning ? runs.stop() : void runs.run(dashboard, concepts)));
    const edit = button(l10n.t('Edit'), false, () => switchEditing());
    const add = button(l10n.t('Add'), false, () => openAddMenu(add));
    add.setAttribute('aria-haspopup', 'menu');
    const undo = iconButton(icon('undo'), l10n.t('Undo (Ctrl+Z)'), () => undoLast());
    const save = button(l10n.t('Save'), true, () => void store(false));
    const link = iconButton(icon('link'), l10n.t('Copy a link to this dashboard'), () => host.copyLink?.());
    const loading = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': l10n.t('Running'), hidden: true });
    const header = element(
        'header',
        { class: 'dashboard-bar' },
        element('h1', { class: 'dashboard-name' }, visible(name)),
        said,
        element('div', { class: 'dashboard-tools' }, undo, add, edit, save, link, run),
    );
    const runs: TileRuns = createTileRuns(host, {
        changed(concept) {
            loading.hidden = !runs.isRunning;
            run.textContent = runs.isRunning ? l10n.t('Stop') : l10n.t('Run');
            if (concept !== undefined) board.refresh(concept);
        },
    });
    const board: TileBoard = createTileBoard(host, runs, {
        stepped(tile, step) {
            const next = stepped(dashboard.tiles, tile.id, step);
            commit({ ...dashboard, tiles: next });
            tell(tile.id);
        },
        moved: (tile, area, isEnd) => {
            const next = { ...dashboard, tiles: movedTo(dashboard.tiles, tile.id, area) };
            if (isEnd) commit(next);
            else board.arrange(next.tiles);
            if (isEnd) tell(tile.id);
        },
        dropped: () => board.arrange(dashboard.tiles),
        settingsAsked: tile => openForm(tile),
        removed(tile) {
            commit({ ...dashboard, tiles: packed(dashboard.tiles.filter(({ id }) => id !== tile.id)) });
            host.announce(l10n.t('{0} is removed. Ctrl+Z brings it back.', nameOfTile(tile)));
            board.focusFirst();
        },
        parameterChanged: () => void runs.run(dashboard, concepts),
        open: concept => host.open(concept),
    });
    const empty = element('div', { class: 'dashboard-empty' });
    const page = element('div', { class: 'dashboard-page' }, empty, board.root);
    const root = element(
        'div',
        { class: 'dashboard' },
        header,
        loading,
        notice,
        element('div', { class: 'dashboard-columns' }, page, form),
        keys,
    );

    /** Says where a tile stands now. */
    const tell = (id: string): void => {
        const tile = dashboard.tiles.find(one => one.id === id);
        if (tile === undefined) return;
        const { x, y, width, height } = tile;
        host.announce(l10n.t('{0}: column {1}, row {2}, {3} columns wide, {4} rows high', nameOfTile(tile), x + 1, y + 1, width, height));
    };
    const commit = (next: Dashboard): void => {
        undone.push(dashboard);
        if (undone.length > UNDONE) undone.shift();
        changeTo(next);
    };
    const changeTo = (next: Dashboard): void => {
        dashboard = next;
        keepDraft();
        draw();
    };
    const keepDraft = (): void => {
        const now = writtenDashboard(dashboard);
        hasChanges = jsonOf(now) !== stored;
        host.drafted(hasChanges ? now : undefined);
    };
    const undoLast = (): void => {
        const last = undone.pop();
        if (last === undefined) return;
        closeForm(false);
        changeTo(last);
        host.announce(l10n.t('Undone'));
    };
    const draw = (): void => {
        board.show(dashboard.tiles, isEdited, concepts);
        root.classList.toggle('is-edited', isEdited);
        edit.hidden = host.save === undefined;
        edit.textContent = isEdited ? l10n.t('Done') : l10n.t('Edit');
        for (const one of [add, undo]) one.hidden = !isEdited;
        undo.disabled = undone.length === 0;
        save.hidden = host.save === undefined || !hasChanges;
        link.hidden = host.copyLink === undefined;
        run.hidden = host.run === undefined;
        said.textContent = hasChanges ? l10n.t('Not saved') : '';
        empty.replaceChildren(...(dashboard.tiles.length === 0 ? [emptySurface()] : []));
    };
    const emptySurface = (): HTMLElement => {
        const title = l10n.t('Nothing is on this dashboard yet');
        if (host.save === undefined) return stateSurface({ picture: 'empty', title });
        const act = (): void => {
            if (!isEdited) switchEditing();
            openAddMenu(add);
        };
        const text = l10n.t('Texts, rows, numbers, charts and fields for parameters of the concepts of the project.');
        return stateSurface({ picture: 'empty', title, text, action: { label: l10n.t('Add something'), act } });
    };
    const switchEditing = (): void => {
        isEdited = !isEdited;
        closeForm(false);
        draw();
        if (isEdited) board.focusFirst();
        else edit.focus();
    };
    const openAddMenu = (from: HTMLElement): void => {
        const [concept] = concepts;
        const [column] = concept?.columns ?? [];
        const name = concept?.name ?? '';
        const contents: readonly Exclude<Content, { kind: 'unknown' }>[] = [
            { kind: 'text', text: '' },
            { kind: 'rows', concept: name },
            { kind: 'number', concept: name, measure: 'count', column: '' },
            { kind: 'chart', concept: name, chart: 'bar', across: column?.name ?? '', up: '', by: '' },
            { kind: 'parameter', parameter: concepts.flatMap(({ parameters }) => parameters)[0]?.name ?? '', value: '' },
        ];
        const items = contents.map(content => ({
            label: kindName(content.kind),
            choose() {
                const added = addedTile(dashboard, content, '');
                commit(added.dashboard);
                openForm(added.tile);
                tell(added.tile.id);
            },
        }));
        openMenu(from, l10n.t('Add'), items);
    };
    const openForm = (tile: Tile): void => {
        const now = dashboard.tiles.find(({ id }) => id === tile.id);
        if (now === undefined || now.content.kind === 'unknown') return;
        changed = now.id;
        const before = dashboard;
        let isFirst = true;
        form.hidden = false;
        form.replaceChildren(
            tileForm(now, concepts, {
                changed(next) {
                    // What is changed while the form is open is taken back at once.
                    if (isFirst) undone.push(before);
                    isFirst = false;
                    const place = ({ id, x, y, width, height }: Tile): Partial<Tile> => (id === next.id ? { x, y, width, height } : {});
                    changeTo({
                        ...dashboard,
                        tiles: dashboard.tiles.map(one => (one.id === next.id ? { ...next, ...place(one) } : one)),
                    });
                },
                closed: () => closeForm(true),
            }),
        );
        form.querySelector<HTMLElement>('input, select, textarea')?.focus();
        board.root.querySelector(`[data-tile="${CSS.escape(now.id)}"]`)?.scrollIntoView({ block: 'nearest' });
    };
    const closeForm = (toTile: boolean): void => {
        form.hidden = true;
        form.replaceChildren();
        if (toTile && changed !== undefined) board.focus(changed);
        changed = undefined;
    };
    const tellNotice = (text: string, ...buttons: readonly HTMLElement[]): void => {
        notice.hidden = text === '';
        notice.replaceChildren(element('p', {}, text), ...buttons);
    };
    const store = async (anyway: boolean): Promise<void> => {
        if (host.save === undefined || !hasChanges) return;
        const written = writtenDashboard(dashboard);
        try {
            const outcome = await host.save(written, anyway);
            if (outcome === 'changed') {
                tellNotice(
                    l10n.t('Somebody else has saved this dashboard since you opened it.'),
                    button(l10n.t('Save anyway'), false, () => void store(true)),
                    button(l10n.t('Show theirs'), false, () => void reload()),
                );
                return;
            }
            tellNotice('');
            stored = jsonOf(written);
            keepDraft();
            draw();
            host.announce(l10n.t('Saved'));
        } catch (reason) {
            tellNotice(
                l10n.t('It was not saved: {0}', host.wordsOf(reason)),
                button(l10n.t('Try again'), false, () => void store(anyway)),
            );
        }
    };
    const reload = async (): Promise<void> => {
        // What would be changed meanwhile is another one's already.
        root.inert = true;
        try {
            dashboard = readDashboard(await host.load());
        } catch (reason) {
            tellNotice(host.wordsOf(reason));
            return;
        } finally {
            root.inert = false;
        }
        stored = jsonOf(writtenDashboard(dashboard));
        keepDraft();
        undone.length = 0;
        tellNotice('');
        closeForm(false);
        draw();
    };
    const learn = async (): Promise<void> => {
        try {
            concepts = await host.concepts();
        } catch (reason) {
            tellNotice(
                host.wordsOf(reason),
                button(l10n.t('Try again'), false, () => void learn()),
            );
            return;
        }
        draw();
    };
    draw();
    void learn();
    return {
        root,
        key(event) {
            const isCommand = event.ctrlKey || event.metaKey;
            const isField = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
            if (isCommand && event.key.toLowerCase() === 's') void store(false);
            else if (isCommand && event.key.toLowerCase() === 'z' && isEdited && !isField) undoLast();
            else return false;
            return true;
        },
        dispose() {
            runs.stop();
            board.dispose();
        },
    };
}
