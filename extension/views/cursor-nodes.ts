import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { CursorFacts } from '#server/protocol/cursor.ts';
import { cellText, type WireRange } from '#server/protocol/runs.ts';

/** A line of the view of the cursor, and the lines below it. */
export interface CursorNode {
    /** The same for the same kind of line, so that the tree keeps open what was open. */
    readonly id: string;
    readonly label: string;
    readonly description?: string;
    readonly tooltip?: string;
    readonly icon?: string;
    /** The place in a program that a click leads to. */
    readonly place?: { readonly uri: string; readonly range: WireRange };
    readonly children?: readonly CursorNode[];
}

/** Says words in the reader's language. */
interface Spoken {
    t(text: string, ...values: readonly (string | number)[]): string;
}

/** The lines of the view: the predicate with its columns, its sources, its rows, the atoms of its rule, and what runs found wrong. */
export function cursorNodes(facts: CursorFacts, l10n: Spoken): readonly CursorNode[] {
    return [
        predicateNode(facts, l10n),
        ...facts.problems.map(({ message, ...place }, at) => ({
            id: `problem ${at}`,
            label: visible(firstLine(message)),
            tooltip: visible(message),
            icon: 'lightbulb',
            place,
        })),
        rowsNode(facts, l10n),
        ...facts.sources.map(({ text, changed }, at) => ({
            id: `source ${at}`,
            label: visible(text),
            icon: changed ? 'warning' : 'database',
        })),
        ...atomsNode(facts, l10n),
    ];
}

function predicateNode({ signature, about, columns }: CursorFacts, l10n: Spoken): CursorNode {
    return {
        id: 'predicate',
        label: visible(signature),
        description: about,
        icon: 'symbol-method',
        children: columns.map(({ name, type, unknown = 0 }, at) => ({
            id: `column ${at}`,
            label: visible(name),
            description: [visible(type), ...(unknown === 0 ? [] : [unknownText(unknown, l10n)])].join(' · '),
            icon: 'symbol-field',
        })),
    };
}

function firstLine(text: string): string {
    return /^.*/u.exec(text)?.[0] ?? '';
}

function unknownText(count: number, l10n: Spoken): string {
    return count === 1 ? l10n.t('1 unknown value') : l10n.t('{0} unknown values', countText(count));
}

function rowsNode({ run }: CursorFacts, l10n: Spoken): CursorNode {
    if (run === undefined) return { id: 'rows', label: l10n.t('No run has told its rows yet'), icon: 'table' };
    const { rows, stale, first } = run;
    return {
        id: 'rows',
        label: rows === 1 ? l10n.t('1 row') : l10n.t('{0} rows', countText(rows)),
        description: stale ? l10n.t('of the last run, before the change') : l10n.t('of the last run'),
        icon: 'table',
        children: first.map((row, at) => ({
            id: `row ${at}`,
            label: row.map(cell => visible(cellText(cell).replace(/\s+/gu, ' '))).join(', '),
        })),
    };
}

function atomsNode({ atoms }: CursorFacts, l10n: Spoken): CursorNode[] {
    if (atoms.length === 0) return [];
    const children = atoms.map(({ text, figures, sentence, here, uri, range }, at) => ({
        id: `atom ${at}`,
        label: visible(text),
        description: here ? l10n.t('{0}, at the cursor', figures) : figures,
        tooltip: sentence,
        icon: here ? 'arrow-small-right' : 'circle-small',
        place: { uri, range },
    }));
    return [
        {
            id: 'atoms',
            label: l10n.t('Matches of each atom'),
            description: l10n.t('in and out, in the last profiled run'),
            icon: 'dashboard',
            children,
        },
    ];
}
