import { l10n } from '../l10n.ts';
import type { ChartKind } from './chart-data.ts';

export function kindName(kind: ChartKind): string {
    switch (kind) {
        case 'bar':
            return l10n.t('Bar chart');
        case 'line':
            return l10n.t('Line chart');
        case 'area':
            return l10n.t('Area chart');
        case 'scatter':
            return l10n.t('Scatter plot');
        case 'histogram':
            return l10n.t('Histogram');
        case 'heat':
            return l10n.t('Heat map');
        case 'timeline':
            return l10n.t('Timeline');
        case 'graph':
            return l10n.t('Graph');
    }
}

/** The question of a kind of chart about a column. */
interface ColumnQuestion {
    readonly label: string;
    /** The label for no column; undefined if the chart needs one. */
    readonly none: string | undefined;
}

/** Questions of a kind of chart about its columns; undefined for an unused one. */
export function columnQuestions(kind: ChartKind): {
    readonly x: string;
    readonly y: ColumnQuestion | undefined;
    readonly by: ColumnQuestion | undefined;
} {
    switch (kind) {
        case 'timeline':
            return { x: l10n.t('Begin'), y: { label: l10n.t('End'), none: '—' }, by: { label: l10n.t('Lanes'), none: '—' } };
        case 'graph':
            return { x: l10n.t('From'), y: { label: l10n.t('To'), none: undefined }, by: { label: l10n.t('Label'), none: '—' } };
        case 'histogram':
            return { x: l10n.t('Across'), y: undefined, by: undefined };
        default:
            return { x: l10n.t('Across'), y: { label: l10n.t('Up'), none: l10n.t('Number of rows') }, by: undefined };
    }
}
