import type { OutputColumn, RowFilter } from '#server/protocol/runs.ts';
import { l10n } from '../l10n.ts';

type Operator = RowFilter['operator'];

export interface OperatorSign {
    readonly operator: Operator;
    /** What a user types in front of the value; a whole text for those without one. */
    readonly sign: string;
    label(): string;
    readonly alone?: true;
}

/** The filters that can be typed, longest signs first. */
export const OPERATOR_SIGNS: readonly OperatorSign[] = [
    { operator: 'known', sign: '!null', label: () => l10n.t('Is not a null'), alone: true },
    { operator: 'unknown', sign: 'null', label: () => l10n.t('Is a null'), alone: true },
    { operator: 'differs', sign: '!=', label: () => l10n.t('Differs from') },
    { operator: 'equals', sign: '=', label: () => l10n.t('Equals') },
    { operator: 'less', sign: '<', label: () => l10n.t('Is less than') },
    { operator: 'greater', sign: '>', label: () => l10n.t('Is greater than') },
    { operator: 'starts', sign: '^', label: () => l10n.t('Starts with') },
    { operator: 'contains', sign: '~', label: () => l10n.t('Contains') },
];

/** The operator of a text without a sign: numbers and booleans are compared, everything else is searched. */
export function usualOperator(shape: OutputColumn['shape']): Operator {
    return shape === 'number' || shape === 'boolean' ? 'equals' : 'contains';
}

/** The filter that a text in the filter row means; undefined for one that says nothing yet. */
export function readFilter(text: string, column: number, shape: OutputColumn['shape']): RowFilter | undefined {
    const trimmed = text.trim();
    if (trimmed === '') return undefined;
    const found = OPERATOR_SIGNS.find(({ sign, alone }) => (alone ? trimmed.toLowerCase() === sign : trimmed.startsWith(sign)));
    if (found === undefined) return { column, operator: usualOperator(shape), value: trimmed };
    const value = found.alone ? '' : trimmed.slice(found.sign.length).trim();
    const complete = found.alone || value !== '' || found.operator === 'equals' || found.operator === 'differs';
    return complete ? { column, operator: found.operator, value } : undefined;
}

/** The text that means a filter for exactly this value. */
export function filterTextOf(value: string, isNull: boolean): string {
    return isNull ? 'null' : `=${value}`;
}
