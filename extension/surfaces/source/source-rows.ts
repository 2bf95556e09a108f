import { toClipboard } from '../clipboard.ts';
import { rowsOfText, rowsText } from '../count-words.ts';
import { element, iconButton } from '../dom.ts';
import type { Given } from '../given.ts';
import { createCellSheet } from '../grid/cell-sheet.ts';
import { giveTools } from '../grid/give-tool.ts';
import { givenRows } from '../grid/given-rows.ts';
import { isPlain } from '../grid/grid-keys.ts';
import { openKeySheet } from '../grid/key-sheet.ts';
import { createRowTools } from '../grid/row-tools.ts';
import { textWidth } from '../grid/text-width.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import type { Picture } from '../pictures/picture.ts';
import { createRowsPane, newRowsChoice, paneTools, type RowsPane } from '../rows-pane.ts';
import { createSplit } from '../split.ts';
import { createProfilePane, type ProfileMessage } from './profile-pane.ts';
import type { SourceMessage } from './source-messages.ts';

type Sample = Extract<SourceMessage, { readonly kind: 'rows' }>;

export interface SourceRowsEvents {
    announce(text: string): void;
    /** The rows are to be read anew. */
    again(): void;
    /** The values of a column are to be counted. */
    profile(column: string): void;
    /** Called when the user closes the profile. */
    profileClosed(): void;
    /** Hands rows to the agent: a table in Markdown; absent without an agent. */
    ask?: ((given: Given) => void) | undefined;
    savePicture(picture: Picture): void;
}

/** The first rows of a table in the grid of the extension, and the tools for them. */
export interface SourceRows {
    readonly root: HTMLElement;
    /** Takes a key that is pressed anywhere; false where it means nothing. */
    key(event: KeyboardEvent): boolean;
    /** Nothing of it is to stay in sight. */
    leave(): void;
    showProfile(message: ProfileMessage): void;
}

export function sourceRows(sample: Sample, events: SourceRowsEvents): SourceRows {
    const { name, columns, rows, more, distinct } = sample;
    const { announce } = events;
    const head = headText(name, rows.length, more);
    const source = givenRows(name, columns, rows);
    const sheet = createCellSheet();
    const line = element('span', {});
    const surface = element('div', { class: 'surface' });
    const profiles = createProfilePane({
        again: events.profile,
        closed() {
            events.profileClosed();
            split.update();
            pane.view.focus();
        },
    });
    const split = createSplit(surface, profiles.root, undefined, () => undefined, l10n.t('Size of the profile'));
    const profile = (): void => {
        const { row, column } = pane.view.selection.focus;
        const found = pane.view.cellAt({ row: Math.max(0, row), column })?.column.name;
        if (found !== undefined) events.profile(found);
    };
    const openKeys = (): void => openKeySheet(() => pane.view.focus(), false, false);
    const tools = createRowTools(
        paneTools(() => pane, openKeys),
        iconButton(icon('information'), l10n.t('Profile of the column (P)'), profile),
        ...giveTools(() => pane.view, events.ask),
        iconButton(icon('again'), l10n.t('Read the rows anew'), events.again),
    );
    const draw = (): void => {
        const { matching } = pane.view;
        line.textContent = matching === undefined || matching === rows.length ? rowsText(rows.length) : rowsOfText(matching, rows.length);
    };
    const pane: RowsPane = createRowsPane({
        rows: source,
        output: source.output,
        choice: newRowsChoice(source.output.key),
        measure: textWidth(document.body),
        tools,
        sheet,
        announce,
        copied: toClipboard(announce),
        failed: reason => announce(reason.message),
        changed: draw,
        empty: { surface, words: () => ({ title: l10n.t('No rows'), text: l10n.t('{0} is empty.', name) }) },
        profileAsked: events.profile,
        savePicture: events.savePicture,
        openKeys,
    });
    draw();
    surface.prepend(pane.view.root);
    const note = distinct ? element('span', {}, l10n.t('Rows that are the same are shown once')) : undefined;
    const bar = element('div', { class: 'toolbar' }, element('h1', { title: head }, head), tools.root);
    return {
        root: element('div', { class: 'rows' }, bar, split.root, element('footer', { class: 'status' }, line, note)),
        key(event) {
            if (pane.key(event)) return true;
            if (!isPlain(event) || event.key.toLowerCase() !== 'p') return false;
            profile();
            return true;
        },
        showProfile(message) {
            profiles.show(message);
            split.update();
            pane.view.grid.reveal(false);
        },
        leave() {
            sheet.close();
            pane.leave();
        },
    };
}

function headText(name: string, count: number, more: boolean): string {
    if (more) return l10n.t('First {0} rows of {1}', countText(count), name);
    return count === 1 ? l10n.t('The only row of {0}', name) : l10n.t('All {0} rows of {1}', countText(count), name);
}
