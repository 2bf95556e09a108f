import type { PlatformClient } from '#server/client/platform-client.ts';
import type { ToldProof } from '#server/protocol/proof-sentences.ts';
import type { ExplainedDerivation, Explanation, OutputSummary, RowView } from '#server/protocol/runs.ts';
import type { Absence, WhyNotAnswer } from '#server/protocol/why-not.ts';
import { type RowSource, Superseded } from '../grid/row-source.ts';
import { shapeOfType, valueCell, valueText } from '../grid/value-cell.ts';
import { l10n } from '../l10n.ts';

/** A concept of a project. */
export interface ConceptPlace {
    readonly scope: 'user' | 'organization';
    readonly project: string;
    readonly concept: string;
}

type Asked = Pick<PlatformClient, 'viewRows' | 'explainRow' | 'tellRow' | 'expandExplanation' | 'explainMissing' | 'explainAbsence'>;

/** The stored rows of one run of a concept: sorted, filtered and searched by the service, and explained. */
export interface StoredRows extends RowSource {
    readonly output: OutputSummary;
    explain(view: RowView, row: number, all: boolean, signal?: AbortSignal): Promise<ExplainedRow>;
    tell(view: RowView, row: number, signal: AbortSignal): Promise<ToldProof>;
    expand(explanation: string, node: number, all: boolean, signal: AbortSignal): Promise<readonly ExplainedDerivation[]>;
    whyMissing(question: string, signal?: AbortSignal): Promise<ExplainedAbsence>;
    absence(explanation: string, node: number, signal: AbortSignal): Promise<Absence>;
}

/** `note` tells what has changed since the rows were stored. */
export type ExplainedAbsence = WhyNotAnswer & { readonly id: string; readonly note?: string };

export interface ExplainedRow extends Explanation {
    readonly id: string;
}

/** The rows that are stored now. `replaced` is called when others have taken their place. */
export async function storedRows(client: Asked, place: ConceptPlace, replaced: () => void): Promise<StoredRows> {
    const { scope, project, concept } = place;
    const path = { project_id: project };
    const read = (view: RowView, offset: number, limit: number, signal?: AbortSignal) =>
        client.viewRows({ path, query: { concept_name: concept, scope, offset, limit, ...viewQuery(view) } }, signal);
    const first = await read({ output: concept }, 0, 1);
    const output: OutputSummary = {
        key: concept,
        name: concept,
        rows: first.count,
        columns: first.columns.map((name, i) => ({ name, type: (first.types[i] ?? '').toLowerCase(), shape: shapeOfType(first.types[i]) })),
    };
    /** A view that is asked for the first time ends what others wait for: the service may have to look through all rows for it. */
    const asked = new Map<string, AbortController>();
    const signalOf = (view: RowView): AbortSignal => {
        const key = JSON.stringify(view);
        const known = asked.get(key);
        if (known === undefined) for (const other of asked.values()) other.abort();
        const abort = known === undefined || known.signal.aborted ? new AbortController() : known;
        asked.set(key, abort);
        return abort.signal;
    };
    const current = async (view: RowView, offset: number, limit: number) => {
        const signal = signalOf(view);
        const found = await read(view, offset, limit, signal).catch(error => {
            throw signal.aborted ? new Superseded() : error;
        });
        if (found.execution_id === first.execution_id) return found;
        replaced();
        throw new Superseded();
    };
    return {
        output,
        async page(view, offset, limit) {
            const { count, matching, rows } = await current(view, offset, limit);
            return { rows: count, matching, offset, cells: rows.map(row => row.map(valueCell)) };
        },
        async cell(view, row, column) {
            const { rows } = await current(view, row, 1);
            return valueText(rows[0]?.[column]);
        },
        async explain(view, row, all, signal) {
            const { numbers } = await current(view, row, 1);
            const query = { concept_name: concept, scope, row: numbers[0] ?? 0, execution_id: first.execution_id, all };
            const { explanation_id: id, changed_files: changed, words, ...explanation } = await client.explainRow({ path, query }, signal);
            const { note } = noteOf(changed);
            return { ...explanation, id, words: note === undefined ? words : `${note}\n${words}` };
        },
        async tell(view, row, signal) {
            const { numbers } = await current(view, row, 1);
            const body = { concept_name: concept, scope, row: numbers[0] ?? 0, execution_id: first.execution_id };
            return client.tellRow({ path, body }, signal);
        },
        expand: (explanation, node, all, signal) =>
            client.expandExplanation({ path, query: { explanation_id: explanation, node, all } }, signal),
        async whyMissing(question, signal) {
            const query = { concept_name: concept, scope, question, execution_id: first.execution_id };
            const told = await client.explainMissing({ path, query }, signal);
            const { explanation_id: id, changed_files: changed, absence, first: look, facts = [], count = 0 } = told;
            if (absence === undefined) return { kind: 'present', id, facts, count, ...noteOf(changed) };
            return { kind: 'absent', id, absence, ...(look && { first: look }), ...noteOf(changed) };
        },
        absence: (explanation, node, signal) => client.explainAbsence({ path, query: { explanation_id: explanation, node } }, signal),
    };
}

function noteOf(changed: readonly string[]): { readonly note?: string } {
    if (changed.length === 0) return {};
    return { note: l10n.t('The files are read as they are now. Changed since the rows were stored: {0}.', changed.join(', ')) };
}

/** What stored rows are sorted and narrowed by. */
export type StoredView = Pick<RowView, 'sort' | 'filters' | 'search'>;

/** A view of stored rows, as the services are asked for it. */
export function viewQuery({ sort = [], filters = [], search = '' }: StoredView) {
    return {
        ...(sort.length > 0 && { order_by: sort.map(({ column, descending }) => `${column}:${descending ? 'desc' : 'asc'}`).join(',') }),
        ...(filters.length > 0 && { filters: JSON.stringify(filters) }),
        ...(search !== '' && { search }),
    };
}
