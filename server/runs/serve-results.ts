import { RunStopped } from '#engine/reports.ts';
import type { Listing } from '#engine/results/listing.ts';
import { type RowViews, rowViews } from '#engine/results/row-view.ts';
import { textOf } from '#engine/values/text.ts';
import { MIXED } from '#language/program/types.ts';
import { exportRows } from '#server/exports/export-rows.ts';
import type { FromProcess, ProcessQuestion, ProcessRequests } from '#server/protocol/run-process.ts';
import type { OutputKey, PageRequest, ResultPage, RowReference, RowView } from '#server/protocol/runs.ts';
import { nullNames } from '#server/store/ordered-value.ts';
import { cellOf, cellSize } from './cells.ts';
import type { FinishedRun } from './evaluate-run.ts';
import { explanations } from './explanations.ts';
import { Refusal, refuse } from './refusal.ts';
import { rowsText } from './rows-text.ts';

export interface ServedResults {
    /** The answer to a question, or why there is none. */
    answer(id: number, question: ProcessQuestion): Promise<FromProcess>;
}

type Handlers = { [M in keyof ProcessRequests]: (params: ProcessRequests[M]['params']) => Answer<ProcessRequests[M]['result']> };
type Answer<T> = T | Promise<T>;

/** Characters of a page at most: rows of long texts come in shorter pages. */
const PAGE_CHARACTERS = 4_000_000;

/** Answers questions about the rows of a finished run. */
export function serveResults(finished: FinishedRun, send: (message: FromProcess) => void): ServedResults {
    const { results } = finished;
    const views = new Map<OutputKey, { readonly listing: Listing; readonly views: RowViews }>(
        results.listings.map(listing => [listing.predicate, { listing, views: rowViews(listing, results.label) }]),
    );
    const explained = explanations(finished);
    const names = nullNames<string>();
    const handlers: Handlers = {
        'rulelang/page': request => page(request),
        'rulelang/cell': ({ column, ...reference }) => {
            const { view, row } = rowOf(reference);
            const { type = MIXED } = view.columns[column] ?? refuse('This column is not there');
            return { text: textOf(view.dictionary, view.at(row, column), type, results.label) };
        },
        'rulelang/export': ({ view, format, path }) =>
            exportRows(viewOf(view).view, {
                format,
                path,
                label: results.label,
                onTemporary: (file, exists) => send({ kind: 'temporary', path: file, exists }),
            }),
        'rulelang/explain': ({ all, ...reference }) => {
            const { view, listing, row } = rowOf(reference);
            return explained.explain(listing, view.rows[row] ?? 0, all);
        },
        'rulelang/expand': ({ node, all }) => explained.nodes.expand(node, all),
        'rulelang/reveal': ({ node, derivation }) => explained.nodes.reveal(node, derivation),
        'rulelang/predicates': () => explained.predicates(),
        'rulelang/checkQuestion': ({ question }) => explained.check(question),
        'rulelang/whyNot': ({ question }) => explained.whyNot(question),
        'rulelang/absence': ({ node }) => explained.nodes.absence(node),
        'rulelang/rows': ({ output, offset }) =>
            rowsText((views.get(output) ?? refuse('This output is not there')).listing, offset, results.label, names),
    };

    function viewOf({ output, sort = [], filters = [], search = '' }: RowView): { listing: Listing; view: Listing } {
        const { listing, views: own } = views.get(output) ?? refuse('This output is not there');
        const columns = [...sort, ...filters].map(({ column }) => column);
        if (columns.some(column => column >= listing.columns.length)) refuse('This column is not there');
        return { listing, view: own.view({ sort, filters, search }) };
    }

    function rowOf({ view: description, row }: Omit<RowReference, 'run'>): { listing: Listing; view: Listing; row: number } {
        const { listing, view } = viewOf(description);
        if (row >= view.count) refuse('This row is not there');
        return { listing, view, row };
    }

    function page({ view: description, offset, limit }: PageRequest): ResultPage {
        const { listing, view } = viewOf(description);
        const cells: ResultPage['cells'][number][] = [];
        let size = 0;
        for (let row = offset; row < Math.min(offset + limit, view.count) && size < PAGE_CHARACTERS; row++) {
            const line = view.columns.map(({ type }, column) => cellOf(view.dictionary, view.at(row, column), type, results.label));
            for (const cell of line) size += cellSize(cell);
            cells.push(line);
        }
        return { rows: listing.count, matching: view.count, offset, cells };
    }

    function resultOf<M extends keyof ProcessRequests>({ method, params }: { method: M; params: ProcessRequests[M]['params'] }) {
        return handlers[method](params);
    }

    return {
        answer: async (id, question) => {
            try {
                return { kind: 'answer', id, result: await resultOf(question) };
            } catch (error) {
                if (error instanceof Refusal) return { kind: 'refused', id, message: error.message };
                if (error instanceof RunStopped) return { kind: 'refused', id, message: error.report.message };
                throw error;
            }
        },
    };
}
