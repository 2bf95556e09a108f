import type { OutputColumn, RowView } from '#server/protocol/runs.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { cellText, isCut } from './cell-text.ts';
import type { RowSource } from './row-source.ts';
import type { RowStore } from './row-store.ts';
import type { Area, Place } from './selection.ts';
import { type CopyFormat, tableText } from './table-text.ts';

/** More cells than these are exported, not copied. */
const COPY_LIMIT = 500_000;

/** Rows as they are shown. */
interface ShownRows {
    readonly source: RowSource;
    readonly view: RowView;
    readonly store: Pick<RowStore, 'rows'>;
    /** The columns that are shown, in their order, with their positions in the output. */
    readonly columns: readonly { readonly index: number; readonly column: OutputColumn }[];
    /** The text of a cell that is not there as a whole. */
    wholeText(place: Place): Promise<string>;
}

/** The cells of an area as a text, and what is said of it; only said where they are too many. */
export async function copiedCells(
    area: Area,
    as: CopyFormat,
    { source, view, store, columns, wholeText }: ShownRows,
): Promise<{ readonly text?: string; readonly description: string }> {
    const height = area.bottom - area.top + 1;
    const count = height * (area.right - area.left + 1);
    if (count > COPY_LIMIT) return { description: l10n.t('The selection is too large to copy. Export the rows instead.') };
    if (as === 'facts' && source.facts !== undefined) {
        const text = await source.facts(view, area.top, height);
        return { text, description: height === 1 ? l10n.t('1 fact copied') : l10n.t('{0} facts copied', countText(height)) };
    }
    const shown = columns.slice(area.left, area.right + 1);
    const texts = (await store.rows(area.top, area.bottom)).map((row, index) =>
        Promise.all(
            shown.map(({ index: at }, place) => {
                const cell = row[at];
                if (cell === undefined) return '';
                return isCut(cell) ? wholeText({ row: area.top + index, column: area.left + place }) : cellText(cell);
            }),
        ),
    );
    const named = shown.map(({ column }) => column);
    return {
        text: tableText(as, named, await Promise.all(texts)),
        description: count === 1 ? l10n.t('1 cell copied') : l10n.t('{0} cells copied', countText(count)),
    };
}
