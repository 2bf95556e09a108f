import type { Cell, RowFilter } from '#server/protocol/runs.ts';
import { rowsOfText } from '../count-words.ts';
import { element } from '../dom.ts';
import { DIRECTIONS, graphZoom, nodeAt } from '../graph-canvas.ts';
import { cellText } from '../grid/cell-text.ts';
import { textWidth } from '../grid/text-width.ts';
import { l10n } from '../l10n.ts';
import { neighbour } from '../layered-layout.ts';
import { countText } from '../number-text.ts';
import { visible } from '../visible-text.ts';
import { type ChartBody, type ChartContext, wordButton } from './chart-body.ts';
import { drawPart, type GraphDrawing, labelOf, nameOf } from './graph-drawing.ts';
import { type Counted, type EdgeRow, filterOf, type GraphPart, graphPart, type Known, keyOf } from './graph-part.ts';

/** Rows that one step adds in each direction, and that are drawn. */
const STEP = 20;
const MOST = 200;

/** Rows as the edges of a graph: what is around one node, and what is around others once they are expanded. */
export function nodeGraph({ source, view, choice, said, failed, show }: ChartContext): ChartBody {
    const { x, y = x, by } = choice;
    const known = new Map<string, Known>();
    let all = 0;
    let start: Cell | undefined;
    let part: GraphPart = { nodes: [], edges: [], rows: 0 };
    let drawing: GraphDrawing | undefined;
    let note = '';
    let current = 0;
    /** One question at a time: another view would take the place of one that the source is still looking for. */
    let asking: Promise<void> = Promise.resolve();
    let isGone = false;

    const find = element('input', { type: 'search', 'aria-label': l10n.t('Find a node'), placeholder: l10n.t('Find a node') });
    const rowsHere = wordButton(l10n.t('Rows that begin here'), () => showRows());
    rowsHere.hidden = show === undefined;
    const bar = element(
        'div',
        { class: 'chart-tools' },
        find,
        wordButton(l10n.t('Begin here (F)'), () => beginAt(part.nodes[current]?.cell)),
        rowsHere,
        element(
            'span',
            { class: 'chart-zoom' },
            wordButton('−', () => zoom.by(-1), l10n.t('Zoom out')),
            wordButton('+', () => zoom.by(1), l10n.t('Zoom in')),
            wordButton(l10n.t('Fit'), () => fitToView(), l10n.t('Fit to the view')),
        ),
    );
    const canvas = element('div', { class: 'chart-canvas scrolled' });
    const zoom = graphZoom(canvas, () => drawing);
    const listHead = element('summary', {});
    const list = element('details', { class: 'chart-table neighbours' }, listHead);

    const ask = (question: () => Promise<void>): void => {
        asking = asking.then(() => (isGone ? undefined : question())).catch(failed);
    };
    const pageOf = (filters: readonly RowFilter[], offset: number, limit: number) =>
        source.page({ ...view, filters: [...(view.filters ?? []), ...filters] }, offset, Math.max(1, limit));
    const rowOf = (cells: readonly Cell[]): EdgeRow[] => {
        const [from, to, label] = [cells[x], cells[y], by === undefined ? undefined : cells[by]];
        if (from === undefined || to === undefined) return [];
        return [{ id: JSON.stringify(cells), from, to, label: label === undefined ? undefined : cellText(label) }];
    };
    /** Further rows at a node, in both directions, as long as there is room. */
    const expand = async (cell: Cell): Promise<void> => {
        const key = keyOf(cell);
        if (key === undefined) return;
        const before = known.get(key);
        const rows = [...(before?.rows ?? [])];
        const further = async (column: number, counted: Counted | undefined): Promise<Counted> => {
            const filter = filterOf(cell, column);
            const room = Math.min(STEP, MOST - part.rows - (rows.length - (before?.rows.length ?? 0)));
            if (filter === undefined) return { shown: 0, all: 0 };
            const shown = counted?.shown ?? 0;
            if (counted !== undefined && (shown >= counted.all || room <= 0)) return counted;
            const { cells, matching } = await pageOf([filter], shown, room);
            const taken = cells.slice(0, Math.max(0, room));
            rows.push(...taken.flatMap(rowOf));
            return { shown: shown + taken.length, all: matching };
        };
        const leaving = await further(x, before?.leaving);
        const arriving = x === y ? { shown: 0, all: 0 } : await further(y, before?.arriving);
        known.set(key, { rows, leaving, arriving });
        draw(key);
        if (part.rows >= MOST) said(l10n.t('{0} rows are drawn at most. Collapse a node, or begin at another one.', MOST));
    };
    /** Adds what a node is joined with; where all of it is there, takes it away. */
    const toggle = (index: number): void => {
        const node = part.nodes[index];
        if (node === undefined) return;
        if (node.more === 0) collapse(index);
        else ask(() => expand(node.cell));
    };
    const collapse = (index: number): void => {
        const node = part.nodes[index];
        if (node === undefined || !known.delete(node.key)) return;
        draw(node.key);
    };
    const beginAt = (cell: Cell | undefined): void => {
        if (cell === undefined) return;
        start = cell;
        known.clear();
        part = { nodes: [], edges: [], rows: 0 };
        ask(async () => {
            await expand(cell);
            fitToView();
        });
    };
    const showRows = (): void => {
        const cell = part.nodes[current]?.cell;
        if (cell !== undefined) show?.([{ column: x, cell }]);
    };
    const draw = (focused: string | undefined): void => {
        if (start === undefined || isGone) return;
        const had = canvas.contains(document.activeElement);
        const startKey = keyOf(start) ?? '';
        part = graphPart(start, known);
        drawing = drawPart(part, startKey, textWidth(canvas).cell);
        canvas.replaceChildren(drawing.svg);
        drawing.placeLabels();
        const at = (key: string | undefined): number => part.nodes.findIndex(node => node.key === key);
        select([at(focused), at(startKey)].find(index => index >= 0) ?? 0);
        zoom.apply();
        if (had) drawing.nodes[current]?.focus({ preventScroll: true });
        drawing.nodes[current]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        note = l10n.t('{0}, around {1}', rowsOfText(part.rows, all), nameOf(start));
        said(note);
    };
    /** One node at a time can be reached with Tab; arrows lead to the others. */
    const select = (index: number): void => {
        drawing?.nodes[current]?.setAttribute('tabindex', '-1');
        drawing?.nodes[index]?.setAttribute('tabindex', '0');
        drawing?.emphasize(index);
        if (index !== current || list.childElementCount < 2 || drawing !== listed) listNeighbours(index);
        current = index;
    };
    let listed: GraphDrawing | undefined;
    /** The neighbours of a node in words. */
    const listNeighbours = (index: number): void => {
        listed = drawing;
        const node = part.nodes[index];
        if (node === undefined) return;
        const lines = part.edges.flatMap(edge => {
            if (edge.from !== index && edge.to !== index) return [];
            const isLeaving = edge.from === index;
            const other = isLeaving ? edge.to : edge.from;
            const name = nameOf(part.nodes[other]?.cell ?? '');
            const label = labelOf(edge);
            const words = isLeaving ? l10n.t('to {0}', name) : l10n.t('from {0}', name);
            const button = wordButton(label === '' ? words : l10n.t('{0}: {1}', words, label), () => drawing?.nodes[other]?.focus());
            return [element('li', {}, button)];
        });
        listHead.textContent = l10n.t('Neighbours of {0} ({1})', nameOf(node.cell), countText(lines.length));
        list.replaceChildren(listHead, element('ul', {}, ...lines));
    };
    const fitToView = (): void => {
        zoom.fit();
        drawing?.nodes[current]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    /** The node that is called so, else the first that has the text in it: among those drawn, then among all rows. */
    const seek = async (text: string): Promise<void> => {
        const sought = text.toLowerCase();
        const called = (test: (name: string) => boolean): number => part.nodes.findIndex(({ cell }) => test(cellText(cell).toLowerCase()));
        const drawn = [called(name => name === sought), called(name => name.includes(sought))].find(index => index >= 0);
        if (drawn !== undefined) {
            drawing?.nodes[drawn]?.focus();
            drawing?.nodes[drawn]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
            return;
        }
        for (const operator of ['equals', 'contains'] as const) {
            for (const column of [x, y]) {
                const { cells } = await pageOf([{ column, operator, value: text }], 0, 1);
                const found = cells[0]?.[column];
                if (keyOf(found) === undefined) continue;
                beginAt(found);
                return;
            }
        }
        said(l10n.t("No node is called '{0}'.", visible(text)));
    };
    const nodeOf = (target: EventTarget | null): number | undefined => nodeAt(drawing, target);
    find.addEventListener('keydown', event => {
        if (event.key !== 'Escape') event.stopPropagation();
        if (event.key === 'Enter' && find.value !== '') ask(() => seek(find.value));
    });
    canvas.addEventListener('click', event => {
        const index = nodeOf(event.target);
        if (index === undefined) return;
        drawing?.nodes[index]?.focus({ preventScroll: true });
        toggle(index);
    });
    canvas.addEventListener('focusin', event => {
        const index = nodeOf(event.target);
        if (index !== undefined) select(index);
    });
    canvas.addEventListener('pointerover', event => drawing?.emphasize(nodeOf(event.target) ?? current));
    canvas.addEventListener('keydown', event => {
        const index = nodeOf(event.target);
        if (index === undefined || drawing === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
        const direction = DIRECTIONS.get(event.key as 'ArrowUp');
        if (direction !== undefined) {
            const next = towards(drawing, index, direction);
            if (next !== undefined) drawing.nodes[next]?.focus();
        } else if (event.key === 'Enter' || event.key === ' ') toggle(index);
        else if (event.key === 'Backspace') collapse(index);
        else if (event.key.toLowerCase() === 'f') beginAt(part.nodes[index]?.cell);
        else if (event.key === '+') zoom.by(1);
        else if (event.key === '-') zoom.by(-1);
        else if (event.key === '0') fitToView();
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    ask(async () => {
        const first = await source.page(view, 0, 1);
        all = first.matching;
        const { cells } = await pageOf([{ column: x, operator: 'known', value: '' }], 0, 1);
        const cell = cells[0]?.[x] ?? first.cells[0]?.[x];
        if (keyOf(cell) === undefined)
            canvas.append(element('p', { class: 'muted' }, l10n.t('There is nothing to draw: choose another column.')));
        else beginAt(cell);
    });
    return {
        parts: [bar, canvas, list],
        picture: () => drawing && { ...drawing, note },
        focus: () => (drawing?.nodes[current] ?? find).focus(),
        dispose() {
            isGone = true;
        },
    };
}

/** The layout goes from the left, so that its rows stand beside each other. */
function towards({ boxes }: GraphDrawing, from: number, direction: 'up' | 'down' | 'left' | 'right'): number | undefined {
    const transposed = boxes.map(({ x, y, width, height }) => ({ x: y, y: x, width: height, height: width }));
    const turned = { up: 'left', down: 'right', left: 'up', right: 'down' } as const;
    return neighbour(transposed, from, turned[direction]);
}
