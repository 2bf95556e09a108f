import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { OutputEffect, RowCounts, RunDifference, RunEffects } from '#server/protocol/run-difference.ts';

type Found = Extract<RunEffects, { readonly kind: 'found' }>;

/** Describes the reasons for the difference between the rows of an output in two runs, in sentences. */
export function effectText(effect: OutputEffect, { since, unknown }: Found, { changes }: RunDifference): string {
    return [...dataText(effect, since, unknown), ...editText(effect, changes.length), ...repeatText(effect, since)].join(' ');
}

function editText({ explained, data }: OutputEffect, changes: number): string[] {
    switch (explained.kind) {
        case 'none':
            return changes === 0 ? [] : [l10n.t('No change of the program or its parameters has an effect on it.')];
        case 'undecided':
            return [l10n.t('There was not enough time to find out which changes make the difference.')];
        case 'edits': {
            const { edits, smallest, idle } = explained;
            const numbers = numbersText(edits);
            const made =
                edits.length === 1
                    ? data === undefined
                        ? l10n.t('Change {0} makes the difference.', numbers)
                        : l10n.t('Change {0} makes the rest of the difference.', numbers)
                    : data === undefined
                      ? l10n.t('Changes {0} make the difference together.', numbers)
                      : l10n.t('Changes {0} make the rest of the difference together.', numbers);
            return [made, ...(smallest ? [] : [l10n.t('Fewer may suffice: there was no time to try.')]), ...idleText(idle)];
        }
    }
}

function idleText(idle: readonly number[]): string[] {
    if (idle.length === 0) return [];
    const numbers = numbersText(idle);
    return [idle.length === 1 ? l10n.t('Change {0} has no effect on it.', numbers) : l10n.t('Changes {0} have no effect on it.', numbers)];
}

/** Describes the effect of the data on the rows of the earlier program. */
function dataText({ data, sources }: OutputEffect, since: readonly string[], unknown: readonly string[]): string[] {
    const names = sources.map(visible).join(', ');
    if (data === undefined) return sources.length === 0 ? [] : [l10n.t('What changed in {0} has no effect on it.', names)];
    const counts = countsText(data);
    if (sources.length > 0) return [l10n.t('The data changed: of the rows that differ, {0} come from {1}.', counts, names)];
    if (since.length > 0)
        return [l10n.t('{0} changed after the later run, so that the rows of then cannot be found again.', since.map(visible).join(', '))];
    if (unknown.length > 0)
        return [l10n.t('The earlier program gives other rows now than then, which may come from {0}.', unknown.map(visible).join(', '))];
    return [l10n.t('The earlier program gives other rows now than then: the time or chance has a part in them.')];
}

function repeatText({ repeats, data }: OutputEffect, since: readonly string[]): string[] {
    if (repeats) return [];
    if (since.length > 0)
        return [l10n.t('This holds for the data of now, since {0} changed after the later run.', since.map(visible).join(', '))];
    return data === undefined
        ? [l10n.t('The later program gives other rows now than then: the time, chance or a database has a part in them.')]
        : [];
}

function countsText({ added, removed, changed }: RowCounts): string {
    return l10n.t('{0} added, {1} removed and {2} changed', countText(added), countText(removed), countText(changed));
}

/** Positions as they are numbered for people. */
function numbersText(positions: readonly number[]): string {
    const numbers = positions.map(position => String(position + 1));
    const last = numbers.pop() ?? '';
    return numbers.length === 0 ? last : l10n.t('{0} and {1}', numbers.join(', '), last);
}
