import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';
import type { DashboardConcept, DashboardHost, DashboardRows } from './dashboard-host.ts';
import type { Content, Tile } from './definition.ts';
import type { Area, Step } from './layout.ts';
import {
    chartContent,
    failedContent,
    noRowsContent,
    numberContent,
    rowsContent,
    type TileContent,
    textContent,
    unknownContent,
} from './tile-content.ts';
import { nameOfTile, type TileFrame, tileFrame } from './tile-frame.ts';
import type { TileRuns } from './tile-runs.ts';

export interface BoardEvents {
    stepped(tile: Tile, step: Step): void;
    moved(tile: Tile, area: Area, isEnd: boolean): void;
    dropped(): void;
    settingsAsked(tile: Tile): void;
    removed(tile: Tile): void;
    /** A value was written for a parameter, with which rows are others. */
    parameterChanged(): void;
    open(concept: string): void;
}

/** The tiles on their grid. A tile that stays as it is keeps its content when others change. */
export interface TileBoard {
    readonly root: HTMLElement;
    show(tiles: readonly Tile[], isEdited: boolean, concepts: readonly DashboardConcept[]): void;
    /** Shows where tiles would stand. */
    arrange(tiles: readonly Tile[]): void;
    /** The tiles of a concept show something else now. */
    refresh(concept: string): void;
    focus(id: string): void;
    focusFirst(): void;
    dispose(): void;
}

interface Shown {
    tile: Tile;
    readonly frame: TileFrame;
    /** The part of the tile on which its frame and its content depend. */
    readonly drawn: string;
    /** The rows that its content shows. */
    rows?: DashboardRows | undefined;
}

export function createTileBoard(host: DashboardHost, runs: TileRuns, events: BoardEvents): TileBoard {
    return new ShownTiles(host, runs, events);
}

class ShownTiles implements TileBoard {
    readonly #host: DashboardHost;
    readonly #runs: TileRuns;
    readonly #events: BoardEvents;
    readonly root = element('div', { class: 'dashboard-grid' });
    readonly #shown = new Map<string, Shown>();
    #known: readonly DashboardConcept[] = [];

    constructor(host: DashboardHost, runs: TileRuns, events: BoardEvents) {
        this.#host = host;
        this.#runs = runs;
        this.#events = events;
    }

    show(tiles: readonly Tile[], isEdited: boolean, concepts: readonly DashboardConcept[]): void {
        this.#known = concepts;
        const focused = [...this.#shown].find(([, { frame }]) => frame.root.contains(document.activeElement))?.[0];
        const kept = new Set(tiles.map(({ id }) => id));
        for (const id of [...this.#shown.keys()]) if (!kept.has(id)) this.#remove(id);
        for (const [at, tile] of tiles.entries()) {
            const drawn = this.#drawnOf(tile, isEdited);
            let one = this.#shown.get(tile.id);
            if (one === undefined || one.drawn !== drawn) {
                const next = this.#made(tile, isEdited, drawn);
                one?.frame.root.replaceWith(next.frame.root);
                one?.frame.dispose();
                one = next;
                this.#shown.set(tile.id, one);
                void this.#fill(one);
            }
            one.tile = tile;
            one.frame.place(tile);
            const there = this.root.children[at];
            if (there !== one.frame.root) this.root.insertBefore(one.frame.root, there ?? null);
        }
        if (focused !== undefined && !this.root.contains(document.activeElement)) this.focus(focused);
    }

    arrange(tiles: readonly Tile[]): void {
        for (const tile of tiles) this.#shown.get(tile.id)?.frame.place(tile);
    }

    refresh(concept: string): void {
        for (const one of this.#shown.values())
            if ('concept' in one.tile.content && one.tile.content.concept === concept) void this.#fill(one);
    }

    focusFirst(): void {
        if (this.root.firstElementChild instanceof HTMLElement) this.root.firstElementChild.focus();
    }

    dispose(): void {
        for (const id of [...this.#shown.keys()]) this.#remove(id);
    }

    async #fill(one: Shown): Promise<void> {
        const { tile, frame } = one;
        const { content } = tile;
        if (content.kind === 'text') frame.fill(textContent(content.text));
        else if (content.kind === 'unknown') frame.fill(unknownContent(content.called));
        else if (content.kind === 'parameter') frame.fill(this.#parameterContent(content, tile));
        else await this.#fillWithRows(one, content);
    }

    async #fillWithRows(one: Shown, content: Extract<Content, { concept: string }>): Promise<void> {
        const { concept } = content;
        const { frame } = one;
        const isStill = (): boolean => this.#shown.get(one.tile.id) === one;
        const fail = (reason: unknown): void => {
            one.rows = undefined;
            if (isStill()) frame.fill(failedContent(this.#host.wordsOf(reason), () => void this.#fillWithRows(one, content)));
        };
        frame.busy(this.#runs.isBusy(concept));
        const failure = this.#runs.failure(concept);
        if (failure !== undefined) {
            one.rows = undefined;
            frame.fill(failedContent(failure, undefined));
            return;
        }
        if (concept === '') {
            frame.fill(noRowsContent(concept));
            return;
        }
        try {
            const rows = await this.#runs.rows(one.tile.id, concept);
            if (!isStill() || (rows !== undefined && rows === one.rows)) return;
            one.rows = rows;
            if (rows === undefined) frame.fill(noRowsContent(concept));
            else if (content.kind === 'rows') frame.fill(rowsContent(rows, this.#host, fail));
            else if (content.kind === 'number') frame.fill(numberContent(rows, content, fail));
            else frame.fill(chartContent(rows, content, fail));
        } catch (reason) {
            fail(reason);
        }
    }

    #parameterContent({ parameter, value }: Extract<Content, { kind: 'parameter' }>, tile: Tile): TileContent {
        const usual = this.#known.flatMap(({ parameters }) => parameters).find(({ name }) => name === parameter)?.usual;
        const input = element('input', {
            type: 'text',
            value: this.#runs.written(parameter, value),
            placeholder: usual === undefined ? '' : visible(usual),
            disabled: this.#host.run === undefined,
            maxlength: 10_000,
            'aria-label': nameOfTile(tile),
        });
        input.addEventListener('change', () => {
            this.#runs.write(parameter, input.value);
            this.#events.parameterChanged();
        });
        const label = parameter === '' ? l10n.t('No parameter is chosen') : visible(parameter);
        const form = element('label', { class: 'tile-parameter' }, element('span', { class: 'value muted small' }, label), input);
        return { root: form, dispose: () => undefined };
    }

    #made(tile: Tile, isEdited: boolean, drawn: string): Shown {
        const { content } = tile;
        const concept = 'concept' in content && content.concept !== '' ? content.concept : undefined;
        const now = (): Tile => this.#shown.get(tile.id)?.tile ?? tile;
        const frame = tileFrame(tile, isEdited, this.root, {
            dragged: (area, isEnd) => this.#events.moved(now(), area, isEnd),
            dropped: () => this.#events.dropped(),
            stepped: step => this.#events.stepped(now(), step),
            settingsAsked: () => this.#events.settingsAsked(now()),
            removed: () => this.#events.removed(now()),
            open: concept === undefined ? undefined : () => this.#events.open(concept),
        });
        return { tile, frame, drawn };
    }

    #drawnOf({ title, content }: Tile, isEdited: boolean): string {
        return JSON.stringify([title, content, isEdited, content.kind === 'parameter' ? this.#known.length : 0]);
    }

    #remove(id: string): void {
        const old = this.#shown.get(id);
        old?.frame.dispose();
        old?.frame.root.remove();
        this.#shown.delete(id);
    }

    focus(id: string): void {
        this.#shown.get(id)?.frame.root.focus();
    }
}
