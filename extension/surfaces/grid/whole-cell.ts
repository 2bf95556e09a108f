import type { OutputSummary } from '#server/protocol/runs.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import type { CellSheet } from './cell-sheet.ts';
import { cellText } from './cell-text.ts';
import { type NullPlace, nullPlaces } from './null-places.ts';
import type { OutputView } from './output-view.ts';
import type { RowSource } from './row-source.ts';
import type { Place } from './selection.ts';

/** The surroundings of a view of rows. */
interface Surroundings {
    readonly rows: RowSource;
    /** The outputs to search for a null. */
    readonly outputs: readonly OutputSummary[];
    copied(text: string, description: string): void;
    /** The view in which the rows with a null are shown, opened where it was not. */
    viewAt(place: NullPlace): OutputView | undefined;
}

/** Shows a cell of a view in a sheet at the side. */
export function showWholeCell(sheet: CellSheet, view: OutputView, place: Place, { rows, outputs, copied, viewAt }: Surroundings): void {
    const found = view.cellAt(place);
    if (found === undefined) return;
    sheet.show({
        ...found,
        title: l10n.t('{0}, row {1}', found.column.name, countText(place.row + 1)),
        text: view.wholeText(place),
        copy: text => copied(text, l10n.t('Text copied')),
        closed: () => view.focus(),
        places: () => nullPlaces(rows, outputs, cellText(found.cell)),
        follow(other) {
            sheet.close();
            viewAt(other)?.followNull(other.column, cellText(found.cell));
        },
    });
}
