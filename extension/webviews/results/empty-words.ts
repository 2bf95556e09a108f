import { missingQuestion } from '#extension/surfaces/grid/missing-question.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { RowsSlots } from '#extension/surfaces/rows-pane.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';

/** The words in the place of the rows of an output that has none; `explain` asks why. */
export function emptyWords(
    output: OutputSummary,
    explain: (question: string) => void,
): ReturnType<NonNullable<RowsSlots['empty']>['words']> {
    const name = visible(output.name);
    if (output.difference !== undefined)
        return { title: l10n.t('No difference'), text: l10n.t("Both runs have the same rows of '{0}'.", name) };
    const why = { label: l10n.t('Why is this empty?'), act: () => explain(missingQuestion(output)) };
    return { title: l10n.t('No rows'), text: l10n.t("Nothing satisfies a rule of '{0}'.", name), action: why };
}
