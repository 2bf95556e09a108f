import { CHART_KINDS, type ChartChoice, choiceOfKind, firstChoice } from '#extension/surfaces/chart/chart-data.ts';
import { columnQuestions } from '#extension/surfaces/chart/chart-words.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { AskedChart } from '#server/protocol/notebooks/asked-chart.ts';
import type { OutputColumn } from '#server/protocol/runs.ts';

/** The chart that a cell asks for, or what is wrong with it. */
export function chosenChart(
    { kind: asked, columns: names }: AskedChart,
    columns: readonly OutputColumn[],
): ChartChoice | { readonly fault: string } {
    const kind = CHART_KINDS.find(one => one === asked);
    if (kind === undefined) return { fault: l10n.t("There is no chart '{0}'; there are {1}", asked, CHART_KINDS.join(', ')) };
    const unknown = names.find(name => !columns.some(column => column.name === name));
    if (unknown !== undefined) return { fault: l10n.t('There is no column {0}', unknown) };
    const usual = choiceOfKind(kind, firstChoice(columns), columns);
    if (names.length === 0) return usual;
    const [x = usual.x, ...others] = names.map(name => columns.findIndex(column => column.name === name));
    const questions = columnQuestions(kind);
    const y = questions.y === undefined ? undefined : (others.shift() ?? (questions.y.none === undefined ? usual.y : undefined));
    const by = questions.by === undefined ? undefined : others.shift();
    return { kind, x, y, by };
}
