import type { Cell, OutputSummary, RowView } from '#server/protocol/runs.ts';
import { element } from '../dom.ts';
import type { RowSource } from '../grid/row-source.ts';
import type { Caption, Drawn } from '../pictures/standalone-svg.ts';
import { visible } from '../visible-text.ts';
import type { ChartChoice } from './chart-data.ts';

/** The data of a chart, and its listeners. */
export interface ChartContext {
    readonly source: RowSource;
    readonly output: OutputSummary;
    readonly view: RowView;
    readonly choice: ChartChoice;
    /** How much is drawn, and what stands where the user is. */
    said(text: string): void;
    failed(reason: unknown): void;
    /** Shows the rows that have these values; absent where there is no place for them. */
    show?: ((cells: readonly ChosenCell[]) => void) | undefined;
}

export interface ChosenCell {
    readonly column: number;
    readonly cell: Cell;
}

/** A chart of some kind below the choice of kinds and columns. */
export interface ChartBody {
    /** They take the place that is there, from above. */
    readonly parts: readonly HTMLElement[];
    /** The current drawing, for a file; undefined while there is none. */
    picture(): (Drawn & Omit<Caption, 'title'>) | undefined;
    focus(): void;
    dispose(): void;
}

/** A list to choose from, with its label before it. */
export function chooser(
    label: string,
    items: readonly (readonly [value: string, name: string])[],
    chosen: string,
    choose: (value: string) => void,
): HTMLElement {
    const box = element(
        'select',
        {},
        ...items.map(([value, name]) => element('option', { value, selected: value === chosen }, visible(name))),
    );
    box.addEventListener('change', () => choose(box.value));
    box.addEventListener('keydown', event => event.key !== 'Escape' && event.stopPropagation());
    return element('label', {}, element('span', { class: 'muted' }, label), box);
}

export function wordButton(text: string, act: () => void, label = text): HTMLButtonElement {
    const made = element('button', { type: 'button', class: 'word-button', 'aria-label': label, title: label }, text);
    made.addEventListener('click', act);
    return made;
}
