import { openListSheet } from '#extension/surfaces/grid/key-sheet.ts';
import { l10n } from '#extension/surfaces/l10n.ts';

/** The keys of the page; those of its rows are in a sheet of their own. */
export function openPageKeys(back: () => void): void {
    const title = l10n.t('Keys');
    const part = {
        title,
        kind: 'keys',
        entries: [
            [l10n.t('Ctrl + Enter'), l10n.t('Run the program')],
            ['F6', l10n.t('From the text to the rows or the graph, and back')],
            ['F12', l10n.t('In the text: go to the definition of a name')],
            ['F2', l10n.t('In the text: rename')],
            [l10n.t('Ctrl + Space'), l10n.t('In the text: what may be written here')],
            [l10n.t('Shift + Alt + F'), l10n.t('In the text: lay it out')],
            [l10n.t('Ctrl + S'), l10n.t('Save a copy of the file')],
            ['E', l10n.t('In the rows: explain the row')],
            ['?', l10n.t('In the rows: show their keys')],
        ],
    } as const;
    openListSheet(title, [part], back);
}
