import type { OutputColumn, RowFilter } from '#server/protocol/runs.ts';
import { l10n } from '../l10n.ts';

type Operator = RowFilter['operator'];
type Shape = OutputColumn['shape'];

/** A kind of filter that a user chooses for a column, and how it is typed. */
export interface FilterKind {
    readonly operator: Operator | 'between';
    /** The sign that the user types before the value, `..` in the midst of a range; a whole text for filters without a value. */
    readonly sign: string;
    label(): string;
    readonly alone?: true;
    /** The shapes of the columns that are offered it; all where it is absent. It may be typed for any. */
    readonly shapes?: readonly Shape[];
}

const ORDERED: readonly Shape[] = ['number', 'time'];
const WRITTEN: readonly Shape[] = ['text', 'collection', 'time'];
const COMPARED: readonly Shape[] = ['number', 'time', 'text', 'collection'];

/** The kinds of filters, in the order of menus. */
const FILTER_KINDS: readonly FilterKind[] = [
    { operator: 'equals', sign: 'true', label: () => l10n.t('Is true'), alone: true, shapes: ['boolean'] },
    { operator: 'equals', sign: 'false', label: () => l10n.t('Is false'), alone: true, shapes: ['boolean'] },
    { operator: 'contains', sign: '~', label: () => l10n.t('Contains'), shapes: WRITTEN },
    { operator: 'lacks', sign: '!~', label: () => l10n.t('Does not contain'), shapes: WRITTEN },
    { operator: 'starts', sign: '^', label: () => l10n.t('Starts with'), shapes: WRITTEN },
    { operator: 'ends', sign: '$', label: () => l10n.t('Ends with'), shapes: WRITTEN },
    { operator: 'matches', sign: '/', label: () => l10n.t('Matches a pattern'), shapes: WRITTEN },
    { operator: 'equals', sign: '=', label: () => l10n.t('Equals'), shapes: COMPARED },
    { operator: 'differs', sign: '!=', label: () => l10n.t('Differs from'), shapes: COMPARED },
    { operator: 'between', sign: '..', label: () => l10n.t('Is between'), shapes: ORDERED },
    { operator: 'less', sign: '<', label: () => l10n.t('Is less than'), shapes: ORDERED },
    { operator: 'atMost', sign: '<=', label: () => l10n.t('Is at most'), shapes: ORDERED },
    { operator: 'greater', sign: '>', label: () => l10n.t('Is greater than'), shapes: ORDERED },
    { operator: 'atLeast', sign: '>=', label: () => l10n.t('Is at least'), shapes: ORDERED },
    { operator: 'known', sign: '!null', label: () => l10n.t('Has a value'), alone: true },
    { operator: 'unknown', sign: 'null', label: () => l10n.t('Has no value'), alone: true },
    { operator: 'missing', sign: 'null:missing', label: () => l10n.t('Is missing'), alone: true },
    { operator: 'labelled', sign: 'null:labelled', label: () => l10n.t('Is a labelled null'), alone: true },
];

/** Longest signs first, so that `<=` is not read as `<`. */
const PREFIXES = FILTER_KINDS.filter(({ alone, operator }) => !alone && operator !== 'between').sort(
    (one, other) => other.sign.length - one.sign.length,
);

/** The parsed text of a filter: a kind and its values, two for a range, of which one may be empty. */
interface SaidFilter {
    readonly kind: FilterKind;
    readonly values: readonly string[];
}

/** The filter that a text in the filter row means: nothing yet, some tests that all must pass, or why it is none. */
export type ReadFilter =
    | { readonly kind: 'nothing' }
    | { readonly kind: 'tests'; readonly tests: readonly RowFilter[] }
    | { readonly kind: 'fault'; readonly fault: string };

export function readFilter(text: string, column: number, shape: Shape): ReadFilter {
    const said = saidFilter(text, shape);
    if (said === undefined) return { kind: 'nothing' };
    const fault = faultOf(said, shape);
    if (fault !== undefined) return { kind: 'fault', fault };
    const { operator, sign, alone } = said.kind;
    const [first = '', last = ''] = said.values;
    if (operator !== 'between')
        return { kind: 'tests', tests: [{ column, operator, value: alone && operator === 'equals' ? sign : first }] };
    const tests: RowFilter[] = [];
    if (first !== '') tests.push({ column, operator: 'atLeast', value: first });
    if (last !== '') tests.push({ column, operator: 'atMost', value: last });
    return { kind: 'tests', tests };
}

function saidFilter(text: string, shape: Shape): SaidFilter | undefined {
    const trimmed = text.trim();
    if (trimmed === '') return undefined;
    const word = FILTER_KINDS.find(({ sign, alone, shapes }) => alone && trimmed.toLowerCase() === sign && isOffered(shapes, shape));
    if (word !== undefined) return { kind: word, values: [] };
    const [, label] = /^null:(z\d+)$/iu.exec(trimmed) ?? [];
    if (label !== undefined) return { kind: kindOf('labelled'), values: [label] };
    const range = ORDERED.includes(shape) ? /^([^.]*(?:\.\d[^.]*)*)\.\.(.*)$/su.exec(trimmed) : null;
    const between = FILTER_KINDS.find(({ operator }) => operator === 'between');
    if (range !== null && between !== undefined) {
        const values = [range[1]?.trim() ?? '', range[2]?.trim() ?? ''];
        return values.every(value => value === '') ? undefined : { kind: between, values };
    }
    const found = PREFIXES.find(({ sign }) => trimmed.startsWith(sign));
    const kind = found ?? kindOf(usualOperator(shape));
    const value = found === undefined ? trimmed : trimmed.slice(found.sign.length).trim();
    if (kind.operator === 'matches') {
        const pattern = value.replace(/\/$/u, '');
        return pattern === '' ? undefined : { kind, values: [pattern] };
    }
    const mayBeEmpty = kind.operator === 'equals' || kind.operator === 'differs';
    return value === '' && !mayBeEmpty ? undefined : { kind, values: [value] };
}

function isOffered(shapes: readonly Shape[] | undefined, shape: Shape): boolean {
    return shapes === undefined || shapes.includes(shape);
}

function kindOf(operator: FilterKind['operator']): FilterKind {
    const found = FILTER_KINDS.find(kind => kind.operator === operator && (!kind.alone || kind.shapes === undefined));
    if (found === undefined) throw new RangeError(operator);
    return found;
}

/** The operator of a text without a sign: numbers and booleans are compared, everything else is searched. */
function usualOperator(shape: Shape): Operator {
    return shape === 'number' || shape === 'boolean' ? 'equals' : 'contains';
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/iu;
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?$/u;
const COMPARING: readonly string[] = ['equals', 'differs', 'between', 'less', 'atMost', 'greater', 'atLeast'];

/** Says in a sentence why a text is not a filter for a column; undefined if it is one. */
function faultOf({ kind, values }: SaidFilter, shape: Shape): string | undefined {
    const { operator, alone } = kind;
    if (operator === 'matches') return patternFault(values[0] ?? '');
    if (alone || !COMPARING.includes(operator)) return undefined;
    const texts = values.filter(value => value !== '');
    if (shape === 'number' && !texts.every(text => NUMBER.test(text))) return l10n.t('Write a number, such as 12 or -0.5');
    if (shape === 'time' && !texts.every(text => TIME.test(text)))
        return l10n.t('Write a date such as 2031-04-09, or with a time: 2031-04-09 10:15:00');
    if (shape === 'boolean' && !texts.every(text => text === 'true' || text === 'false')) return l10n.t('Write true or false');
    return undefined;
}

function patternFault(pattern: string): string | undefined {
    try {
        new RegExp(pattern, 'u');
    } catch {
        return l10n.t('This is no regular expression yet');
    }
    const needsMore = /\(\?<?[=!]|\\[1-9]|\\k</u.test(pattern.replaceAll('\\\\', ''));
    return needsMore ? l10n.t('Look-around and back references are not possible here') : undefined;
}

/** The kinds that a column of a shape is offered. */
export function kindsFor(shape: Shape): readonly FilterKind[] {
    return FILTER_KINDS.filter(({ shapes }) => isOffered(shapes, shape));
}

/** The text that asks for a kind with the values of another text. */
export function withKind(text: string, { operator, sign, alone }: FilterKind, shape: Shape): string {
    if (alone) return sign;
    const said = saidFilter(text, shape);
    const values = said?.kind.alone ? [] : (said?.values ?? []);
    if (operator === 'between') return `${values[0] ?? ''}..${values[1] ?? ''}`;
    const value = values.find(one => one !== '') ?? '';
    return operator === usualOperator(shape) && kindOf(operator).sign === sign ? value : `${sign}${value}`;
}

/** The text that means a filter for exactly this value, null, or for missing values. */
export function filterTextOf(value: string, kind: 'value' | 'null' | 'missing'): string {
    switch (kind) {
        case 'value':
            return `=${value}`;
        case 'null':
            return `null:${value}`;
        case 'missing':
            return 'null:missing';
    }
}

/** A filter in words, for a column of this name; undefined while it says nothing that is asked. */
export function filterWords(text: string, { name, shape }: OutputColumn): string | undefined {
    const said = saidFilter(text, shape);
    if (said === undefined || faultOf(said, shape) !== undefined) return undefined;
    const [first = '', last = ''] = said.values;
    switch (said.kind.operator) {
        case 'between':
            if (first === '') return l10n.t('{0} is at most {1}', name, last);
            return last === '' ? l10n.t('{0} is at least {1}', name, first) : l10n.t('{0} is between {1} and {2}', name, first, last);
        case 'equals':
            if (said.kind.alone) return l10n.t('{0} is {1}', name, said.kind.sign);
            return first === '' ? l10n.t('{0} is empty', name) : l10n.t('{0} equals {1}', name, first);
        case 'differs':
            return first === '' ? l10n.t('{0} is not empty', name) : l10n.t('{0} differs from {1}', name, first);
        case 'contains':
            return l10n.t('{0} contains {1}', name, first);
        case 'lacks':
            return l10n.t('{0} does not contain {1}', name, first);
        case 'starts':
            return l10n.t('{0} starts with {1}', name, first);
        case 'ends':
            return l10n.t('{0} ends with {1}', name, first);
        case 'matches':
            return l10n.t('{0} matches {1}', name, first);
        case 'less':
            return l10n.t('{0} is less than {1}', name, first);
        case 'atMost':
            return l10n.t('{0} is at most {1}', name, first);
        case 'greater':
            return l10n.t('{0} is greater than {1}', name, first);
        case 'atLeast':
            return l10n.t('{0} is at least {1}', name, first);
        case 'unknown':
            return l10n.t('{0} has no value', name);
        case 'known':
            return l10n.t('{0} has a value', name);
        case 'missing':
            return l10n.t('{0} is missing', name);
        case 'labelled':
            return first === '' ? l10n.t('{0} is a labelled null', name) : l10n.t('{0} is the null {1}', name, first);
    }
}
