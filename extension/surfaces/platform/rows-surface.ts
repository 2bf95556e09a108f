import type { ExportFormat } from '#server/protocol/result-formats.ts';
import type { RowFilter, RowView } from '#server/protocol/runs.ts';
import { toClipboard } from '../clipboard.ts';
import { rowsOfText, rowsText } from '../count-words.ts';
import { element, iconButton } from '../dom.ts';
import type { Given } from '../given.ts';
import { createCellSheet } from '../grid/cell-sheet.ts';
import { openExportMenu } from '../grid/export-menu.ts';
import { giveTools } from '../grid/give-tool.ts';
import { openKeySheet } from '../grid/key-sheet.ts';
import { missingQuestion } from '../grid/missing-question.ts';
import type { OutputView } from '../grid/output-view.ts';
import { createRowTools } from '../grid/row-tools.ts';
import { textWidth } from '../grid/text-width.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import type { Picture } from '../pictures/picture.ts';
import { createRowsPane, paneTools, type RowsChoice, type RowsPane } from '../rows-pane.ts';
import { createSplit } from '../split.ts';
import { openMissingSheet } from './missing-sheet.ts';
import { storedExplanations } from './stored-explanations.ts';
import type { StoredRows } from './stored-rows.ts';

export interface RowsEvents {
    busy(busy: boolean): void;
    failed(reason: Error): void;
    announce(text: string): void;
    /** Opens a concept at a line, one-based, or its rows. */
    reveal(concept: string, line: number | undefined): void;
    /** Gives the rows of the selection or an explanation to the agent; absent without an agent. */
    ask?: (given: Given) => void;
    savePicture(picture: Picture): void;
    readonly exports: RowsExports;
}

/** Writes rows to files. */
export interface RowsExports {
    readonly formats: readonly ExportFormat[];
    write(view: RowView, format: ExportFormat): void;
    /** Tells how far it is, below the rows. */
    readonly progress?: HTMLElement;
}

/** The rows of a concept, and the tools for them. */
export interface RowsSurface {
    readonly root: HTMLElement;
    readonly tools: HTMLElement;
    /** Takes a key that is pressed anywhere; returns false if it has no meaning. */
    key(event: KeyboardEvent): boolean;
}

const sheet = createCellSheet();

/** Shows the stored rows of a concept; stale ones were made by an older definition. */
export function rowsSurface(rows: StoredRows, isStale: boolean, choice: RowsChoice, events: RowsEvents): RowsSurface {
    const { output } = rows;
    const { announce, savePicture, busy, failed } = events;
    const surface = element('div', { class: 'surface' });
    const line = element('span', {});
    const explaining = explainRows(rows, events, { view: () => pane.view, resized: () => split.update() });
    const split = createSplit(surface, explaining.root, undefined, () => undefined);
    const openKeys = (): void => openKeySheet(() => pane.view.focus(), false);
    const tools = createRowTools(
        paneTools(() => pane, openKeys),
        ...ownTools(() => pane.view, explaining.askMissing, events),
    );
    const draw = (): void => {
        const { matching } = pane.view;
        line.textContent = matching === undefined || matching === output.rows ? rowsText(output.rows) : rowsOfText(matching, output.rows);
    };
    const why = { label: l10n.t('Why is this empty?'), act: () => explaining.showMissing(missingQuestion(output)) };
    const pane: RowsPane = createRowsPane({
        rows,
        output,
        choice,
        measure: textWidth(document.body),
        tools,
        sheet,
        explain: explaining.explain,
        missing: explaining.askMissing,
        announce,
        copied: toClipboard(announce),
        failed,
        busy,
        changed: draw,
        empty: { surface, words: () => ({ title: l10n.t('No rows'), text: l10n.t('The last run found none.'), action: why }) },
        savePicture,
        openKeys,
    });
    draw();
    surface.prepend(pane.view.root);
    const stale = isStale ? element('span', { class: 'stale' }, l10n.t('The definition has changed since')) : undefined;
    return {
        root: element('div', { class: 'rows' }, split.root, element('footer', { class: 'status' }, line, stale, events.exports.progress)),
        tools: tools.root,
        key: pane.key,
    };
}

function ownTools(view: () => OutputView, askMissing: () => void, { exports, ask }: RowsEvents): HTMLElement[] {
    const { formats, write } = exports;
    const save: HTMLButtonElement = iconButton(
        icon('export'),
        l10n.t('Export'),
        () => openExportMenu(save, formats, format => write(view().view, format)),
        { 'aria-haspopup': 'menu' },
    );
    return [
        iconButton(icon('explain'), l10n.t('Explain the row (E)'), () => view().explain()),
        iconButton(icon('ask'), l10n.t('Why is a row missing? (M)'), askMissing),
        save,
        ...giveTools(view, ask),
    ];
}

/** Explanations beside the rows, and the sheet that asks which row is missing. */
interface RowExplanations {
    readonly root: HTMLElement;
    explain(view: RowView, row: number): void;
    showMissing(question: string): void;
    askMissing(): void;
}

interface ExplainedRows {
    view(): OutputView;
    /** The pane has opened or closed. */
    resized(): void;
}

function explainRows(rows: StoredRows, events: RowsEvents, { view, resized }: ExplainedRows): RowExplanations {
    const { reveal, announce, ask, savePicture } = events;
    /** The values that were last given of a missing row. */
    let asked: readonly RowFilter[] = [];
    const explanations = storedExplanations(rows, {
        reveal,
        announce,
        again: () => askMissing(asked),
        ...(ask && { ask }),
        savePicture,
        closed() {
            resized();
            view().focus();
        },
    });
    const showMissing = (question: string): void => {
        explanations.showMissing(question);
        resized();
    };
    const askMissing = (known: readonly RowFilter[]): void =>
        openMissingSheet(rows.output, known, {
            asked(values) {
                asked = values;
                showMissing(missingQuestion(rows.output, values));
            },
            closed: () => view().focus(),
        });
    return {
        root: explanations.pane.root,
        explain(of, row) {
            explanations.show(of, row);
            resized();
            view().grid.reveal(false);
        },
        showMissing,
        askMissing: () => askMissing(view().view.filters ?? []),
    };
}
