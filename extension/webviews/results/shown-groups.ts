import type { ChartChoice } from '#extension/surfaces/chart/chart-data.ts';
import { groupBar, openedGroupBar } from '#extension/surfaces/grid/group-bar.ts';
import { type GroupedRows, groupedRows, measurable, narrowedBy } from '#extension/surfaces/grid/grouped-rows.ts';
import { newOutputState } from '#extension/surfaces/grid/output-state.ts';
import type { OutputView } from '#extension/surfaces/grid/output-view.ts';
import { type RowSource, Superseded } from '#extension/surfaces/grid/row-source.ts';
import type { Place } from '#extension/surfaces/grid/selection.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { RowsChoice, RowsLook, RowsPane, RowsSlots } from '#extension/surfaces/rows-pane.ts';

/** Groups of the rows of a view by some of its columns, below a line that says so. */
export interface ShownGroups extends GroupedRows {
    readonly of: OutputView;
    readonly by: readonly number[];
    readonly bar: HTMLElement;
}

/** Slots of a pane that differ between rows and groups. */
export type OwnSlots = Pick<RowsSlots, 'rows' | 'unmarked' | 'output' | 'choice' | 'explain' | 'open' | 'columns' | 'groupAsked'>;

/** The view in which groups take the place of rows. */
export interface GroupsHost {
    readonly rows: RowSource;
    readonly look: RowsLook;
    readonly surface: HTMLElement;
    /** Makes a pane of some rows the one that is shown, in the surface behind `above`. */
    show(slots: OwnSlots, above: HTMLElement): RowsPane;
    /** Shows the rows of an output. */
    open(key: string): RowsPane | undefined;
    /** Takes up the state of an output once more when it is opened next. */
    restore(of: OutputView): void;
    /** Keeps the state of what is shown, and closes what stands beside it. */
    leave(): void;
    busy(busy: boolean): void;
    failed(message: string): void;
    announce(text: string): void;
}

export interface Groups {
    /** The groups that are shown; undefined for rows. */
    readonly shown: ShownGroups | undefined;
    /** Shows the groups of the rows that pass in a view of an output; by no column, the rows themselves. */
    show(of: OutputView, by: readonly number[], measured?: readonly number[]): Promise<void>;
    /** Shows the groups of the rows that the output has now, in the pane of the groups. */
    follow(pane: RowsPane, isShown: () => boolean): Promise<void>;
    /** Called when rows are shown. */
    clear(): void;
}

export function createGroups(host: GroupsHost): Groups {
    let shown: ShownGroups | undefined;
    const choices = new Map<string, RowsChoice>();
    const attempt = async (act: () => Promise<void>): Promise<void> => {
        try {
            await act();
        } catch (reason) {
            host.busy(false);
            if (!(reason instanceof Superseded)) host.failed(reason instanceof Error ? reason.message : String(reason));
        }
    };
    /** Opens the rows of a group. */
    const openGroup = (pane: RowsPane, { row }: Place, of: OutputView, by: readonly number[], grouped: GroupedRows): void => {
        const cells = by.flatMap((column, place) => {
            const cell = pane.view.row(row)?.[place];
            return cell === undefined ? [] : [{ column, cell }];
        });
        const opened = host.open(of.output.key);
        opened?.view.narrow(cells);
        const back = async (): Promise<void> => {
            await show(of, by, grouped.grouping.measured);
            // The rows are those of all groups again.
            host.restore(of);
        };
        host.surface.prepend(openedGroupBar(namesOf(of, by), back));
        opened?.view.focus();
    };
    const showGroups = async (of: OutputView, by: readonly number[], measured: readonly number[] | undefined): Promise<void> => {
        const grouped = await groupedRows(host.rows, of, by, measured);
        // If only other columns are measured, the menu that asked for it stays open.
        const kept = measured !== undefined && shown?.of === of ? shown.bar : undefined;
        const bar = kept ?? barOf({ show }, of, by, grouped);
        host.leave();
        const { source, output } = grouped;
        const pane = host.show(
            {
                rows: source,
                output,
                choice: choiceOf(choices, grouped, by, host.look),
                explain: () => host.announce(l10n.t('A group is not explained. Open it, and explain one of its rows.')),
                open: place => openGroup(pane, place, of, by, grouped),
            },
            bar,
        );
        shown = { ...grouped, of, by, bar };
        if (kept === undefined) pane.view.focus();
    };
    const show = async (of: OutputView, by: readonly number[], measured?: readonly number[]): Promise<void> => {
        if (by.length === 0) {
            host.open(of.output.key)?.view.focus();
            return;
        }
        host.busy(true);
        await attempt(() => showGroups(of, by, measured));
    };
    let follows = 0;
    const follow = async (pane: RowsPane, isShown: () => boolean): Promise<void> => {
        if (shown === undefined) return;
        const { of, by, grouping } = shown;
        const number = ++follows;
        const grouped = await groupedRows(host.rows, of, by, grouping.measured);
        // Rows may have changed again meanwhile: the answer about the last ones counts, and it takes the place of the bar that is there now.
        if (!isShown() || number !== follows || shown?.of !== of) return;
        if (!pane.follow(grouped.output)) return void show(of, by, grouping.measured);
        const next = barOf({ show }, of, by, grouped);
        shown.bar.replaceWith(next);
        shown = { ...grouped, of, by, bar: next };
    };
    return {
        get shown() {
            return shown;
        },
        show,
        follow: (pane, isShown) => attempt(() => follow(pane, isShown)),
        clear() {
            shown = undefined;
        },
    };
}

function barOf(
    groups: Pick<Groups, 'show'>,
    of: OutputView,
    by: readonly number[],
    { output, grouping: { measured } }: GroupedRows,
): HTMLElement {
    const names = of.output.columns.map(({ name }) => name);
    const choices = { by, measured, measurable: measurable(of, by), narrowedBy: narrowedBy(of) };
    return groupBar(names, choices, output.rows, { regroup: next => groups.show(of, next), measure: next => groups.show(of, by, next) });
}

function namesOf({ output }: OutputView, columns: readonly number[]): string[] {
    return columns.map(column => output.columns[column]?.name ?? '');
}

/** Begins anew, but with the chart that the user chose for these groups. */
function choiceOf(choices: Map<string, RowsChoice>, { output }: GroupedRows, by: readonly number[], look: RowsLook): RowsChoice {
    const chart = choices.get(output.key)?.chart ?? chartOfGroups(output, by);
    const choice: RowsChoice = { state: newOutputState(output.key), look, chart };
    choices.set(output.key, choice);
    return choice;
}

/** A chart of the number of rows of each group. */
function chartOfGroups({ columns }: GroupedRows['output'], by: readonly number[]): ChartChoice {
    return { kind: columns[0]?.shape === 'time' ? 'line' : 'bar', x: 0, y: by.length };
}
