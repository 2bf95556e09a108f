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
export function dashboardSurface(around: StoredDashboard, host: DashboardHost): DashboardSurface {
    return new ShownDashboard(around, host);
}

class ShownDashboard implements DashboardSurface {
    readonly #around: StoredDashboard;
    readonly #host: DashboardHost;
    #dashboard: Dashboard;
    /** The stored definition, as it would be written now. */
    #stored: string;
    #hasChanges: boolean;
    #isEdited: boolean;
    #concepts: readonly DashboardConcept[] = [];
    #changed: Tile['id'] | undefined;
    readonly #undone: Dashboard[] = [];
    readonly #said = element('span', { class: 'muted small', role: 'status' });
    readonly #notice = element('div', { class: 'dashboard-notice', role: 'alert', hidden: true });
    readonly #form = element('div', { class: 'dashboard-form', hidden: true });
    readonly #keys = element(
        'p',
        { id: 'dashboard-keys', class: 'visually-hidden' },
        l10n.t('Arrow keys move the tile, with Shift they size it; Enter changes it, Delete removes it.'),
    );
    readonly #run: HTMLButtonElement;
    readonly #edit: HTMLButtonElement;
    readonly #add: HTMLButtonElement;
    readonly #undo: HTMLButtonElement;
    readonly #save: HTMLButtonElement;
    readonly #link: HTMLButtonElement;
    readonly #loading = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': l10n.t('Running'), hidden: true });
    readonly #header: HTMLElement;
    readonly #runs: TileRuns;
    readonly #board: TileBoard;
    readonly #empty = element('div', { class: 'dashboard-empty' });
    readonly #page: HTMLElement;
    readonly root: HTMLElement;

    constructor(around: StoredDashboard, host: DashboardHost) {
        this.#around = around;
        this.#host = host;
        this.#dashboard = readDashboard(this.#around.draft ?? this.#around.definition);
        this.#stored = jsonOf(writtenDashboard(readDashboard(this.#around.definition)));
        this.#hasChanges = this.#around.draft !== undefined;
        this.#isEdited = this.#hasChanges && this.#host.save !== undefined;
        this.#run = this.#button(l10n.t('Run'), true, () =>
            this.#runs.isRunning ? this.#runs.stop() : void this.#runs.run(this.#dashboard, this.#concepts),
        );
        this.#edit = this.#button(l10n.t('Edit'), false, () => this.#switchEditing());
        this.#add = this.#button(l10n.t('Add'), false, () => this.#openAddMenu(this.#add));
        this.#add.setAttribute('aria-haspopup', 'menu');
        this.#undo = iconButton(icon('undo'), l10n.t('Undo (Ctrl+Z)'), () => this.#undoLast());
        this.#save = this.#button(l10n.t('Save'), true, () => void this.#store(false));
        this.#link = iconButton(icon('link'), l10n.t('Copy a link to this dashboard'), () => this.#host.copyLink?.());
        this.#header = element(
            'header',
            { class: 'dashboard-bar' },
            element('h1', { class: 'dashboard-name' }, visible(this.#around.name)),
            this.#said,
            element('div', { class: 'dashboard-tools' }, this.#undo, this.#add, this.#edit, this.#save, this.#link, this.#run),
        );
        this.#runs = createTileRuns(this.#host, {
            changed: concept => {
                this.#loading.hidden = !this.#runs.isRunning;
                this.#run.textContent = this.#runs.isRunning ? l10n.t('Stop') : l10n.t('Run');
                if (concept !== undefined) this.#board.refresh(concept);
            },
        });
        this.#board = createTileBoard(this.#host, this.#runs, {
            stepped: (tile, step) => {
                const next = stepped(this.#dashboard.tiles, tile.id, step);
                this.#commit({ ...this.#dashboard, tiles: next });
                this.#tell(tile.id);
            },
            moved: (tile, area, isEnd) => {
                const next = { ...this.#dashboard, tiles: movedTo(this.#dashboard.tiles, tile.id, area) };
                if (isEnd) this.#commit(next);
                else this.#board.arrange(next.tiles);
                if (isEnd) this.#tell(tile.id);
            },
            dropped: () => this.#board.arrange(this.#dashboard.tiles),
            settingsAsked: tile => this.#openForm(tile),
            removed: tile => {
                this.#commit({ ...this.#dashboard, tiles: packed(this.#dashboard.tiles.filter(({ id }) => id !== tile.id)) });
                this.#host.announce(l10n.t('{0} is removed. Ctrl+Z brings it back.', nameOfTile(tile)));
                this.#board.focusFirst();
            },
            parameterChanged: () => void this.#runs.run(this.#dashboard, this.#concepts),
            open: concept => this.#host.open(concept),
        });
        this.#page = element('div', { class: 'dashboard-page' }, this.#empty, this.#board.root);
        this.root = element(
            'div',
            { class: 'dashboard' },
            this.#header,
            this.#loading,
            this.#notice,
            element('div', { class: 'dashboard-columns' }, this.#page, this.#form),
            this.#keys,
        );
        this.#draw();
        void this.#learn();
    }

    key(event: KeyboardEvent): boolean {
        const isCommand = event.ctrlKey || event.metaKey;
        const isField = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
        if (isCommand && event.key.toLowerCase() === 's') void this.#store(false);
        else if (isCommand && event.key.toLowerCase() === 'z' && this.#isEdited && !isField) this.#undoLast();
        else return false;
        return true;
    }

    dispose(): void {
        this.#runs.stop();
        this.#board.dispose();
    }

    #button(label: string, isMain: boolean, act: () => void): HTMLButtonElement {
        const made = element('button', { type: 'button', class: isMain ? 'button' : 'button secondary' }, label);
        made.addEventListener('click', act);
        return made;
    }

    /** Says where a tile stands now. */
    #tell(id: string): void {
        const tile = this.#dashboard.tiles.find(one => one.id === id);
        if (tile === undefined) return;
        const { x, y, width, height } = tile;
        this.#host.announce(
            l10n.t('{0}: column {1}, row {2}, {3} columns wide, {4} rows high', nameOfTile(tile), x + 1, y + 1, width, height),
        );
    }

    #commit(next: Dashboard): void {
        this.#undone.push(this.#dashboard);
        if (this.#undone.length > UNDONE) this.#undone.shift();
        this.#changeTo(next);
    }

    #changeTo(next: Dashboard): void {
        this.#dashboard = next;
        this.#keepDraft();
        this.#draw();
    }

    #keepDraft(): void {
        const now = writtenDashboard(this.#dashboard);
        this.#hasChanges = jsonOf(now) !== this.#stored;
        this.#host.drafted(this.#hasChanges ? now : undefined);
    }

    #undoLast(): void {
        const last = this.#undone.pop();
        if (last === undefined) return;
        this.#closeForm(false);
        this.#changeTo(last);
        this.#host.announce(l10n.t('Undone'));
    }

    #draw(): void {
        this.#board.show(this.#dashboard.tiles, this.#isEdited, this.#concepts);
        this.root.classList.toggle('is-edited', this.#isEdited);
        this.#edit.hidden = this.#host.save === undefined;
        this.#edit.textContent = this.#isEdited ? l10n.t('Done') : l10n.t('Edit');
        for (const one of [this.#add, this.#undo]) one.hidden = !this.#isEdited;
        this.#undo.disabled = this.#undone.length === 0;
        this.#save.hidden = this.#host.save === undefined || !this.#hasChanges;
        this.#link.hidden = this.#host.copyLink === undefined;
        this.#run.hidden = this.#host.run === undefined;
        this.#said.textContent = this.#hasChanges ? l10n.t('Not saved') : '';
        this.#empty.replaceChildren(...(this.#dashboard.tiles.length === 0 ? [this.#emptySurface()] : []));
    }

    #emptySurface(): HTMLElement {
        const title = l10n.t('Nothing is on this dashboard yet');
        if (this.#host.save === undefined) return stateSurface({ picture: 'empty', title });
        const act = (): void => {
            if (!this.#isEdited) this.#switchEditing();
            this.#openAddMenu(this.#add);
        };
        const text = l10n.t('Texts, rows, numbers, charts and fields for parameters of the concepts of the project.');
        return stateSurface({ picture: 'empty', title, text, action: { label: l10n.t('Add something'), act } });
    }

    #switchEditing(): void {
        this.#isEdited = !this.#isEdited;
        this.#closeForm(false);
        this.#draw();
        if (this.#isEdited) this.#board.focusFirst();
        else this.#edit.focus();
    }

    #openAddMenu(from: HTMLElement): void {
        const [concept] = this.#concepts;
        const [column] = concept?.columns ?? [];
        const name = concept?.name ?? '';
        const contents: readonly Exclude<Content, { kind: 'unknown' }>[] = [
            { kind: 'text', text: '' },
            { kind: 'rows', concept: name },
            { kind: 'number', concept: name, measure: 'count', column: '' },
            { kind: 'chart', concept: name, chart: 'bar', across: column?.name ?? '', up: '', by: '' },
            { kind: 'parameter', parameter: this.#concepts.flatMap(({ parameters }) => parameters)[0]?.name ?? '', value: '' },
        ];
        const items = contents.map(content => ({
            label: kindName(content.kind),
            choose: () => {
                const added = addedTile(this.#dashboard, content, '');
                this.#commit(added.dashboard);
                this.#openForm(added.tile);
                this.#tell(added.tile.id);
            },
        }));
        openMenu(from, l10n.t('Add'), items);
    }

    #openForm(tile: Tile): void {
        const now = this.#dashboard.tiles.find(({ id }) => id === tile.id);
        if (now === undefined || now.content.kind === 'unknown') return;
        this.#changed = now.id;
        const before = this.#dashboard;
        let isFirst = true;
        this.#form.hidden = false;
        this.#form.replaceChildren(
            tileForm(now, this.#concepts, {
                changed: next => {
                    // What is changed while the form is open is taken back at once.
                    if (isFirst) this.#undone.push(before);
                    isFirst = false;
                    const place = ({ id, x, y, width, height }: Tile): Partial<Tile> => (id === next.id ? { x, y, width, height } : {});
                    this.#changeTo({
                        ...this.#dashboard,
                        tiles: this.#dashboard.tiles.map(one => (one.id === next.id ? { ...next, ...place(one) } : one)),
                    });
                },
                closed: () => this.#closeForm(true),
            }),
        );
        this.#form.querySelector<HTMLElement>('input, select, textarea')?.focus();
        this.#board.root.querySelector(`[data-tile="${CSS.escape(now.id)}"]`)?.scrollIntoView({ block: 'nearest' });
    }

    #closeForm(toTile: boolean): void {
        this.#form.hidden = true;
        this.#form.replaceChildren();
        if (toTile && this.#changed !== undefined) this.#board.focus(this.#changed);
        this.#changed = undefined;
    }

    #tellNotice(text: string, ...buttons: readonly HTMLElement[]): void {
        this.#notice.hidden = text === '';
        this.#notice.replaceChildren(element('p', {}, text), ...buttons);
    }

    async #store(anyway: boolean): Promise<void> {
        if (this.#host.save === undefined || !this.#hasChanges) return;
        const written = writtenDashboard(this.#dashboard);
        try {
            const outcome = await this.#host.save(written, anyway);
            if (outcome === 'changed') {
                this.#tellNotice(
                    l10n.t('Somebody else has saved this dashboard since you opened it.'),
                    this.#button(l10n.t('Save anyway'), false, () => void this.#store(true)),
                    this.#button(l10n.t('Show theirs'), false, () => void this.#reload()),
                );
                return;
            }
            this.#tellNotice('');
            this.#stored = jsonOf(written);
            this.#keepDraft();
            this.#draw();
            this.#host.announce(l10n.t('Saved'));
        } catch (reason) {
            this.#tellNotice(
                l10n.t('It was not saved: {0}', this.#host.wordsOf(reason)),
                this.#button(l10n.t('Try again'), false, () => void this.#store(anyway)),
            );
        }
    }

    async #reload(): Promise<void> {
        // What would be changed meanwhile is another one's already.
        this.root.inert = true;
        try {
            this.#dashboard = readDashboard(await this.#host.load());
        } catch (reason) {
            this.#tellNotice(this.#host.wordsOf(reason));
            return;
        } finally {
            this.root.inert = false;
        }
        this.#stored = jsonOf(writtenDashboard(this.#dashboard));
        this.#keepDraft();
        this.#undone.length = 0;
        this.#tellNotice('');
        this.#closeForm(false);
        this.#draw();
    }

    async #learn(): Promise<void> {
        try {
            this.#concepts = await this.#host.concepts();
        } catch (reason) {
            this.#tellNotice(
                this.#host.wordsOf(reason),
                this.#button(l10n.t('Try again'), false, () => void this.#learn()),
            );
            return;
        }
        this.#draw();
    }
}
