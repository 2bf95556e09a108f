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
    const root = element('div', { class: 'dashboard-grid' });
    const shown = new Map<string, Shown>();
    let known: readonly DashboardConcept[] = [];

    const fill = async (one: Shown): Promise<void> => {
        const { tile, frame } = one;
        const { content } = tile;
        if (content.kind === 'text') frame.fill(textContent(content.text));
        else if (content.kind === 'unknown') frame.fill(unknownContent(content.called));
        else if (content.kind === 'parameter') frame.fill(parameterContent(content, tile));
        else await fillWithRows(one, content);
    };
    const fillWithRows = async (one: Shown, content: Extract<Content, { concept: string }>): Promise<void> => {
        const { concept } = content;
        const { frame } = one;
        const isStill = (): boolean => shown.get(one.tile.id) === one;
        const fail = (reason: unknown): void => {
            one.rows = undefined;
            if (isStill()) frame.fill(failedContent(host.wordsOf(reason), () => void fillWithRows(one, content)));
        };
        frame.busy(runs.isBusy(concept));
        const failure = runs.failure(concept);
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
            const rows = await runs.rows(one.tile.id, concept);
            if (!isStill() || (rows !== undefined && rows === one.rows)) return;
            one.rows = rows;
            if (rows === undefined) frame.fill(noRowsContent(concept));
            else if (content.kind === 'rows') frame.fill(rowsContent(rows, host, fail));
            else if (content.kind === 'number') frame.fill(numberContent(rows, content, fail));
            else frame.fill(chartContent(rows, content, fail));
        } catch (reason) {
            fail(reason);
        }
    };
    const parameterContent = ({ parameter, value }: Extract<Content, { kind: 'parameter' }>, tile: Tile): TileContent => {
        const usual = known.flatMap(({ parameters }) => parameters).find(({ name }) => name === parameter)?.usual;
        const input = element('input', {
            type: 'text',
            value: runs.written(parameter, value),
            placeholder: usual === undefined ? '' : visible(usual),
            disabled: host.run === undefined,
            maxlength: 10_000,
            'aria-label': nameOfTile(tile),
        });
        input.addEventListener('change', () => {
            runs.write(parameter, input.value);
            events.parameterChanged();
        });
        const label = parameter === '' ? l10n.t('No parameter is chosen') : visible(parameter);
        const form = element('label', { class: 'tile-parameter' }, element('span', { class: 'value muted small' }, label), input);
        return { root: form, dispose: () => undefined };
    };
    const made = (tile: Tile, isEdited: boolean, drawn: string): Shown => {
        const { content } = tile;
        const concept = 'concept' in content && content.concept !== '' ? content.concept : undefined;
        const now = (): Tile => shown.get(tile.id)?.tile ?? tile;
        const frame = tileFrame(tile, isEdited, root, {
            dragged: (area, isEnd) => events.moved(now(), area, isEnd),
            dropped: () => events.dropped(),
            stepped: step => events.stepped(now(), step),
            settingsAsked: () => events.settingsAsked(now()),
            removed: () => events.removed(now()),
            open: concept === undefined ? undefined : () => events.open(concept),
        });
        return { tile, frame, drawn };
    };
    const drawnOf = ({ title, content }: Tile, isEdited: boolean): string =>
        JSON.stringify([title, content, isEdited, content.kind === 'parameter' ? known.length : 0]);
    const remove = (id: string): void => {
        const old = shown.get(id);
        old?.frame.dispose();
        old?.frame.root.remove();
        shown.delete(id);
    };
    const focus = (id: string): void => shown.get(id)?.frame.root.focus();
    return {
        root,
        show(tiles, isEdited, concepts) {
            known = concepts;
            const focused = [...shown].find(([, { frame }]) => frame.root.contains(document.activeElement))?.[0];
            const kept = new Set(tiles.map(({ id }) => id));
            for (const id of [...shown.keys()]) if (!kept.has(id)) remove(id);
            for (const [at, tile] of tiles.entries()) {
                const drawn = drawnOf(tile, isEdited);
                let one = shown.get(tile.id);
                if (one === undefined || one.drawn !== drawn) {
                    const next = made(tile, isEdited, drawn);
                    one?.frame.root.replaceWith(next.frame.root);
                    one?.frame.dispose();
                    one = next;
                    shown.set(tile.id, one);
                    void fill(one);
                }
                one.tile = tile;
                one.frame.place(tile);
                const there = root.children[at];
                if (there !== one.frame.root) root.insertBefore(one.frame.root, there ?? null);
            }
            if (focused !== undefined && !root.contains(document.activeElement)) focus(focused);
        },
        arrange(tiles) {
            for (const tile of tiles) shown.get(tile.id)?.frame.place(tile);
        },
        refresh(concept) {
            for (const one of shown.values()) if ('concept' in one.tile.content && one.tile.content.concept === concept) void fill(one);
        },
        focus,
        focusFirst: () => (root.firstElementChild instanceof HTMLElement ? root.firstElementChild.focus() : undefined),
        dispose() {
            for (const id of [...shown.keys()]) remove(id);
        },
    };
}
