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
export function nodeGraph(around: ChartContext): ChartBody {
    return new NodeGraphBody(around);
}

class NodeGraphBody implements ChartBody {
    readonly #around: ChartContext;
    /** The column of the nodes at which edges end. */
    readonly #y: number;
    readonly #known = new Map<string, Known>();
    #all = 0;
    #start: Cell | undefined;
    #part: GraphPart = { nodes: [], edges: [], rows: 0 };
    #drawing: GraphDrawing | undefined;
    #note = '';
    #current = 0;
    /** One question at a time: another view would take the place of one that the source is still looking for. */
    #asking: Promise<void> = Promise.resolve();
    #isGone = false;
    readonly #find = element('input', { type: 'search', 'aria-label': l10n.t('Find a node'), placeholder: l10n.t('Find a node') });
    readonly #rowsHere: HTMLElement;
    readonly parts: readonly HTMLElement[];
    readonly #bar: HTMLElement;
    readonly #canvas = element('div', { class: 'chart-canvas scrolled' });
    readonly #zoom: ReturnType<typeof graphZoom>;
    readonly #listHead = element('summary', {});
    readonly #list: HTMLElement;
    #listed: GraphDrawing | undefined;

    constructor(around: ChartContext) {
        this.#around = around;
        this.#y = around.choice.y ?? around.choice.x;
        this.#rowsHere = wordButton(l10n.t('Rows that begin here'), () => this.#showRows());
        this.#rowsHere.hidden = this.#around.show === undefined;
        this.#bar = element(
            'div',
            { class: 'chart-tools' },
            this.#find,
            wordButton(l10n.t('Begin here (F)'), () => this.#beginAt(this.#part.nodes[this.#current]?.cell)),
            this.#rowsHere,
            element(
                'span',
                { class: 'chart-zoom' },
                wordButton('−', () => this.#zoom.by(-1), l10n.t('Zoom out')),
                wordButton('+', () => this.#zoom.by(1), l10n.t('Zoom in')),
                wordButton(l10n.t('Fit'), () => this.#fitToView(), l10n.t('Fit to the view')),
            ),
        );
        this.#zoom = graphZoom(this.#canvas, () => this.#drawing);
        this.#list = element('details', { class: 'chart-table neighbours' }, this.#listHead);
        this.parts = [this.#bar, this.#canvas, this.#list];
        this.#find.addEventListener('keydown', event => {
            if (event.key !== 'Escape') event.stopPropagation();
            if (event.key === 'Enter' && this.#find.value !== '') this.#ask(() => this.#seek(this.#find.value));
        });
        this.#canvas.addEventListener('click', event => {
            const index = this.#nodeOf(event.target);
            if (index === undefined) return;
            this.#drawing?.nodes[index]?.focus({ preventScroll: true });
            this.#toggle(index);
        });
        this.#canvas.addEventListener('focusin', event => {
            const index = this.#nodeOf(event.target);
            if (index !== undefined) this.#select(index);
        });
        this.#canvas.addEventListener('pointerover', event => this.#drawing?.emphasize(this.#nodeOf(event.target) ?? this.#current));
        this.#canvas.addEventListener('keydown', event => {
            const index = this.#nodeOf(event.target);
            if (index === undefined || this.#drawing === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
            const direction = DIRECTIONS.get(event.key as 'ArrowUp');
            if (direction !== undefined) {
                const next = towards(this.#drawing, index, direction);
                if (next !== undefined) this.#drawing.nodes[next]?.focus();
            } else if (event.key === 'Enter' || event.key === ' ') this.#toggle(index);
            else if (event.key === 'Backspace') this.#collapse(index);
            else if (event.key.toLowerCase() === 'f') this.#beginAt(this.#part.nodes[index]?.cell);
            else if (event.key === '+') this.#zoom.by(1);
            else if (event.key === '-') this.#zoom.by(-1);
            else if (event.key === '0') this.#fitToView();
            else return;
            event.preventDefault();
            event.stopPropagation();
        });
        this.#ask(async () => {
            const first = await this.#around.source.page(this.#around.view, 0, 1);
            this.#all = first.matching;
            const { cells } = await this.#pageOf([{ column: this.#around.choice.x, operator: 'known', value: '' }], 0, 1);
            const cell = cells[0]?.[this.#around.choice.x] ?? first.cells[0]?.[this.#around.choice.x];
            if (keyOf(cell) === undefined)
                this.#canvas.append(element('p', { class: 'muted' }, l10n.t('There is nothing to draw: choose another column.')));
            else this.#beginAt(cell);
        });
    }

    picture(): ReturnType<ChartBody['picture']> {
        return this.#drawing && { ...this.#drawing, note: this.#note };
    }

    focus(): void {
        (this.#drawing?.nodes[this.#current] ?? this.#find).focus();
    }

    dispose(): void {
        this.#isGone = true;
    }

    #ask(question: () => Promise<void>): void {
        this.#asking = this.#asking.then(() => (this.#isGone ? undefined : question())).catch(this.#around.failed);
    }

    #pageOf(filters: readonly RowFilter[], offset: number, limit: number) {
        return this.#around.source.page(
            { ...this.#around.view, filters: [...(this.#around.view.filters ?? []), ...filters] },
            offset,
            Math.max(1, limit),
        );
    }

    #rowOf(cells: readonly Cell[]): EdgeRow[] {
        const [from, to, label] = [
            cells[this.#around.choice.x],
            cells[this.#y],
            this.#around.choice.by === undefined ? undefined : cells[this.#around.choice.by],
        ];
        if (from === undefined || to === undefined) return [];
        return [{ id: JSON.stringify(cells), from, to, label: label === undefined ? undefined : cellText(label) }];
    }

    /** Further rows at a node, in both directions, as long as there is room. */
    async #expand(cell: Cell): Promise<void> {
        const key = keyOf(cell);
        if (key === undefined) return;
        const before = this.#known.get(key);
        const rows = [...(before?.rows ?? [])];
        const further = async (column: number, counted: Counted | undefined): Promise<Counted> => {
            const filter = filterOf(cell, column);
            const room = Math.min(STEP, MOST - this.#part.rows - (rows.length - (before?.rows.length ?? 0)));
            if (filter === undefined) return { shown: 0, all: 0 };
            const shown = counted?.shown ?? 0;
            if (counted !== undefined && (shown >= counted.all || room <= 0)) return counted;
            const { cells, matching } = await this.#pageOf([filter], shown, room);
            const taken = cells.slice(0, Math.max(0, room));
            rows.push(...taken.flatMap(cells => this.#rowOf(cells)));
            return { shown: shown + taken.length, all: matching };
        };
        const leaving = await further(this.#around.choice.x, before?.leaving);
        const arriving = this.#around.choice.x === this.#y ? { shown: 0, all: 0 } : await further(this.#y, before?.arriving);
        this.#known.set(key, { rows, leaving, arriving });
        this.#draw(key);
        if (this.#part.rows >= MOST)
            this.#around.said(l10n.t('{0} rows are drawn at most. Collapse a node, or begin at another one.', MOST));
    }

    /** Adds what a node is joined with; where all of it is there, takes it away. */
    #toggle(index: number): void {
        const node = this.#part.nodes[index];
        if (node === undefined) return;
        if (node.more === 0) this.#collapse(index);
        else this.#ask(() => this.#expand(node.cell));
    }

    #collapse(index: number): void {
        const node = this.#part.nodes[index];
        if (node === undefined || !this.#known.delete(node.key)) return;
        this.#draw(node.key);
    }

    #beginAt(cell: Cell | undefined): void {
        if (cell === undefined) return;
        this.#start = cell;
        this.#known.clear();
        this.#part = { nodes: [], edges: [], rows: 0 };
        this.#ask(async () => {
            await this.#expand(cell);
            this.#fitToView();
        });
    }

    #showRows(): void {
        const cell = this.#part.nodes[this.#current]?.cell;
        if (cell !== undefined) this.#around.show?.([{ column: this.#around.choice.x, cell }]);
    }

    #draw(focused: string | undefined): void {
        if (this.#start === undefined || this.#isGone) return;
        const had = this.#canvas.contains(document.activeElement);
        const startKey = keyOf(this.#start) ?? '';
        this.#part = graphPart(this.#start, this.#known);
        this.#drawing = drawPart(this.#part, startKey, textWidth(this.#canvas).cell);
        this.#canvas.replaceChildren(this.#drawing.svg);
        this.#drawing.placeLabels();
        const at = (key: string | undefined): number => this.#part.nodes.findIndex(node => node.key === key);
        this.#select([at(focused), at(startKey)].find(index => index >= 0) ?? 0);
        this.#zoom.apply();
        if (had) this.#drawing.nodes[this.#current]?.focus({ preventScroll: true });
        this.#drawing.nodes[this.#current]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        this.#note = l10n.t('{0}, around {1}', rowsOfText(this.#part.rows, this.#all), nameOf(this.#start));
        this.#around.said(this.#note);
    }

    /** One node at a time can be reached with Tab; arrows lead to the others. */
    #select(index: number): void {
        this.#drawing?.nodes[this.#current]?.setAttribute('tabindex', '-1');
        this.#drawing?.nodes[index]?.setAttribute('tabindex', '0');
        this.#drawing?.emphasize(index);
        if (index !== this.#current || this.#list.childElementCount < 2 || this.#drawing !== this.#listed) this.#listNeighbours(index);
        this.#current = index;
    }

    /** The neighbours of a node in words. */
    #listNeighbours(index: number): void {
        this.#listed = this.#drawing;
        const node = this.#part.nodes[index];
        if (node === undefined) return;
        const lines = this.#part.edges.flatMap(edge => {
            if (edge.from !== index && edge.to !== index) return [];
            const isLeaving = edge.from === index;
            const other = isLeaving ? edge.to : edge.from;
            const name = nameOf(this.#part.nodes[other]?.cell ?? '');
            const label = labelOf(edge);
            const words = isLeaving ? l10n.t('to {0}', name) : l10n.t('from {0}', name);
            const button = wordButton(label === '' ? words : l10n.t('{0}: {1}', words, label), () => this.#drawing?.nodes[other]?.focus());
            return [element('li', {}, button)];
        });
        this.#listHead.textContent = l10n.t('Neighbours of {0} ({1})', nameOf(node.cell), countText(lines.length));
        this.#list.replaceChildren(this.#listHead, element('ul', {}, ...lines));
    }

    #fitToView(): void {
        this.#zoom.fit();
        this.#drawing?.nodes[this.#current]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }

    /** The node that is called so, else the first that has the text in it: among those drawn, then among all rows. */
    async #seek(text: string): Promise<void> {
        const sought = text.toLowerCase();
        const called = (test: (name: string) => boolean): number =>
            this.#part.nodes.findIndex(({ cell }) => test(cellText(cell).toLowerCase()));
        const drawn = [called(name => name === sought), called(name => name.includes(sought))].find(index => index >= 0);
        if (drawn !== undefined) {
            this.#drawing?.nodes[drawn]?.focus();
            this.#drawing?.nodes[drawn]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
            return;
        }
        for (const operator of ['equals', 'contains'] as const) {
            for (const column of [this.#around.choice.x, this.#y]) {
                const { cells } = await this.#pageOf([{ column, operator, value: text }], 0, 1);
                const found = cells[0]?.[column];
                if (keyOf(found) === undefined) continue;
                this.#beginAt(found);
                return;
            }
        }
        this.#around.said(l10n.t("No node is called '{0}'.", visible(text)));
    }

    #nodeOf(target: EventTarget | null): number | undefined {
        return nodeAt(this.#drawing, target);
    }
}

/** The layout goes from the left, so that its rows stand beside each other. */
function towards({ boxes }: GraphDrawing, from: number, direction: 'up' | 'down' | 'left' | 'right'): number | undefined {
    const transposed = boxes.map(({ x, y, width, height }) => ({ x: y, y: x, width: height, height: width }));
    const turned = { up: 'left', down: 'right', left: 'up', right: 'down' } as const;
    return neighbour(transposed, from, turned[direction]);
}
