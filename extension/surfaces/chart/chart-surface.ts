import type { OutputColumn, OutputSummary, RowView } from '#server/protocol/runs.ts';
import { element, iconButton } from '../dom.ts';
import type { RowSource } from '../grid/row-source.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import type { DrawnPicture, Picture } from '../pictures/picture.ts';
import { pictureButton } from '../pictures/picture-button.ts';
import { standaloneSvg } from '../pictures/standalone-svg.ts';
import { visible } from '../visible-text.ts';
import { type ChartBody, type ChartContext, type ChosenCell, chooser } from './chart-body.ts';
import { CHART_KINDS, type ChartChoice, type ChartKind, choiceOfKind, firstChoice, isPlot } from './chart-data.ts';
import { columnQuestions, kindName } from './chart-words.ts';
import { nodeGraph } from './node-graph.ts';
import { type FirstRows, plot } from './plot.ts';
import { timeline } from './timeline.ts';

/** Rows that are drawn, and rows that are asked for at a time. */
const DRAWN = 10_000;
const PAGE = 1000;
/** Milliseconds of a wait of which nothing is said. */
const PATIENCE = 150;

export interface ChartEvents {
    chosen(choice: ChartChoice): void;
    closed(): void;
    failed(reason: Error): void;
    /** Puts a picture into a file; absent where there is no place for it. */
    save?: (picture: Picture) => void;
    /** Shows the rows that have these values; absent where there is no place for them. */
    show?: (cells: readonly ChosenCell[]) => void;
}

/** A chart of the rows that pass in a view, in the place of the rows. */
export interface ChartSurface {
    readonly root: HTMLElement;
    focus(): void;
    /** Draws other rows of the same columns. */
    follow(view: RowView): void;
    dispose(): void;
}

export function chartSurface(
    source: RowSource,
    output: OutputSummary,
    first: RowView,
    from: ChartChoice | undefined,
    events: ChartEvents,
): ChartSurface {
    return new ShownChart(source, output, first, from, events);
}

class ShownChart implements ChartSurface {
    readonly #source: RowSource;
    readonly #output: OutputSummary;
    readonly #events: ChartEvents;
    #view: RowView;
    #choice: ChartChoice;
    /** Asked for once, by the first kind of chart that needs them. */
    #rows: Promise<FirstRows> | undefined;
    #body: ChartBody | undefined;
    readonly #kinds: HTMLElement;
    readonly #questions = element('span', { class: 'chart-columns' });
    readonly #said = element('span', { class: 'muted', role: 'status' });
    readonly #close: HTMLButtonElement;
    readonly #picture: HTMLElement | undefined;
    readonly #bar: HTMLElement;
    readonly root: HTMLElement;

    constructor(source: RowSource, output: OutputSummary, first: RowView, from: ChartChoice | undefined, events: ChartEvents) {
        this.#source = source;
        this.#output = output;
        this.#events = events;
        this.#view = first;
        this.#choice = from ?? firstChoice(this.#output.columns);
        this.#kinds = chooser(
            l10n.t('Kind of chart'),
            CHART_KINDS.map(kind => [kind, kindName(kind)] as const),
            this.#choice.kind,
            kind => this.#choose(choiceOfKind(kind as ChartKind, this.#choice, this.#output.columns)),
        );
        this.#close = iconButton(icon('close'), l10n.t('Close the chart'), () => this.#events.closed());
        this.#picture =
            this.#events.save &&
            pictureButton({ drawn: () => this.#drawn(), save: this.#events.save, said: text => this.#said.replaceChildren(text) });
        this.#bar = element(
            'div',
            { class: 'chart-bar' },
            this.#kinds,
            this.#questions,
            this.#said,
            element('span', { class: 'chart-end' }, this.#picture, this.#close),
        );
        this.root = element('div', { class: 'chart' }, this.#bar);
        this.root.addEventListener('keydown', event => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            this.#events.closed();
        });
        this.#draw(true);
    }

    focus(): void {
        this.#body?.focus();
    }

    follow(next: RowView): void {
        const hadFocus = this.#body?.parts.some(part => part.contains(document.activeElement)) ?? false;
        this.#view = next;
        this.#rows = undefined;
        this.#draw(false);
        if (hadFocus) this.#body?.focus();
    }

    dispose(): void {
        this.#body?.dispose();
        this.#body = undefined;
    }

    #drawn(): DrawnPicture | undefined {
        const picture = this.#body?.picture();
        if (picture === undefined) return undefined;
        const title = l10n.t('{0} of {1}', kindName(this.#choice.kind), visible(this.#output.name));
        return { name: this.#output.name, svg: standaloneSvg(picture, { ...picture, title }) };
    }

    #failed(reason: unknown): void {
        this.#events.failed(reason instanceof Error ? reason : new Error(String(reason)));
    }

    #choose(next: ChartChoice): void {
        const isOther = next.kind !== this.#choice.kind;
        this.#choice = next;
        this.#events.chosen(next);
        this.#draw(isOther);
    }

    #draw(isOther: boolean): void {
        this.#body?.dispose();
        for (const part of this.#body?.parts ?? []) part.remove();
        if (isOther) this.#questions.replaceChildren(...columnChoosers(this.#choice, this.#output.columns, next => this.#choose(next)));
        this.#said.textContent = '';
        const waiting = setTimeout(() => {
            if (this.#body === made) this.#said.textContent = l10n.t('Loading');
        }, PATIENCE);
        const made = this.#bodyOf({
            source: this.#source,
            output: this.#output,
            view: this.#view,
            choice: this.#choice,
            said: text => {
                clearTimeout(waiting);
                if (this.#body === made) this.#said.textContent = text;
            },
            failed: reason => {
                if (this.#body === made) this.#failed(reason);
            },
            show: this.#events.show,
        });
        this.#body = made;
        this.root.append(...made.parts);
    }

    #bodyOf(context: ChartContext): ChartBody {
        if (isPlot(context.choice)) {
            this.#rows ??= firstRows(this.#source, this.#view);
            return plot(context, context.choice, this.#rows);
        }
        return context.choice.kind === 'graph' ? nodeGraph(context) : timeline(context);
    }
}

/** The columns that a chart of this kind can be told. */
function columnChoosers(choice: ChartChoice, columns: readonly OutputColumn[], choose: (choice: ChartChoice) => void): HTMLElement[] {
    // Each changes what the others have chosen by then.
    let now = choice;
    const change = (part: Partial<ChartChoice>): void => {
        now = { ...now, ...part };
        choose(now);
    };
    const { x, y, by } = columnQuestions(choice.kind);
    const shape = choice.kind === 'timeline' ? 'time' : choice.kind === 'graph' ? undefined : 'number';
    const items = columns.map(({ name, shape: of }, index) => ({ item: [String(index), name] as const, shape: of }));
    const itemsOf = (wanted: OutputColumn['shape'] | undefined) =>
        items.filter(({ shape: of }) => wanted === undefined || of === wanted).map(({ item }) => item);
    const none = (text: string | undefined) => (text === undefined ? [] : [['', text] as const]);
    const read = (value: string): number | undefined => (value === '' ? undefined : Number(value));
    const written = (value: number | undefined): string => (value === undefined ? '' : String(value));
    return [
        chooser(x, itemsOf(shape === 'time' ? shape : undefined), String(choice.x), value => change({ x: Number(value) })),
        ...(y === undefined
            ? []
            : [chooser(y.label, [...none(y.none), ...itemsOf(shape)], written(choice.y), value => change({ y: read(value) }))]),
        ...(by === undefined
            ? []
            : [chooser(by.label, [...none(by.none), ...itemsOf(undefined)], written(choice.by), value => change({ by: read(value) }))]),
    ];
}

async function firstRows(source: RowSource, view: RowView): Promise<FirstRows> {
    const cells: FirstRows['cells'][number][] = [];
    let matching = 0;
    for (let more = true; more && cells.length < DRAWN; ) {
        const page = await source.page(view, cells.length, Math.min(PAGE, DRAWN - cells.length));
        ({ matching } = page);
        cells.push(...page.cells);
        more = page.cells.length > 0 && cells.length < page.matching;
    }
    return { cells, matching };
}
