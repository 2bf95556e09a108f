import { compileLinearPattern } from '#engine/evaluate/builtins/pattern.ts';
import { type GroupedRows, groupRows } from '#engine/results/group-rows.ts';
import type { Listing } from '#engine/results/listing.ts';
import { type RowViews, rowViews } from '#engine/results/row-view.ts';
import { textOf } from '#engine/values/text.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import { refuse } from '#server/notices/refusal.ts';
import type { Handlers, ParamsOf } from '#server/protocol/methods.ts';
import type { FromProcess, ProcessMethods } from '#server/protocol/run-process.ts';
import type { OutputKey, ResultPage, RowView } from '#server/protocol/runs.ts';
import { nullNames } from '#server/store/ordered-value.ts';
import { factClause } from '#server/terminal/print-facts.ts';
import { cellOf, cellSize } from './cells.ts';
import { exportRows } from './export-rows.ts';
import type { MarkedListing } from './live-rows.ts';
import { outputSummary } from './output-summary.ts';
import type { Results } from './results.ts';
import { rowsText } from './rows-text.ts';

/** Characters of a page at most: rows of long texts come in shorter pages. */
const PAGE_CHARACTERS = 4_000_000;

type RowMethods = 'rulelang/page' | 'rulelang/grouped' | 'rulelang/cell' | 'rulelang/facts' | 'rulelang/export' | 'rulelang/rows';

interface RowPlace {
    readonly view: RowView;
    readonly row: number;
}

interface Groups extends GroupedRows {
    readonly key: string;
    readonly views: RowViews;
}

export interface RowAnswers extends Pick<Handlers<ProcessMethods, number>, RowMethods> {
    /** A row of a listing, by its position in a view. */
    rowOf(place: RowPlace): { readonly listing: Listing; readonly number: number };
}

/** The rows of an output, and the views of them. */
interface Viewed {
    readonly listing: Listing;
    readonly views: RowViews;
}

/** Answers what needs nothing but rows: sorted, filtered and searched. `marked` has the outputs that an edit has changed. */
export function rowAnswers(
    { listings, label }: Pick<Results, 'listings' | 'label'>,
    send: (message: FromProcess) => void,
    marked: (output: OutputKey) => MarkedListing | undefined = () => undefined,
): RowAnswers {
    const viewed = (listing: Listing): Viewed => ({ listing, views: rowViews(listing, label) });
    const views = new Map<OutputKey, Viewed>(listings.map(listing => [listing.predicate, viewed(listing)]));
    const markedViews = new Map<OutputKey, (Viewed & MarkedListing) | undefined>();
    const names = nullNames<string>();
    let groups: Groups | undefined;
    return {
        rowOf: place => {
            if (place.view.grouped !== undefined) refuse(say`A group is not explained. Open it, and explain one of its rows`);
            const { listing, view, row } = rowOf(place);
            const number = view.rows[row] ?? 0;
            const among = markedIn(place.view);
            if (among === undefined) return { listing, number };
            const there = among.places[number] ?? -1;
            if (there < 0) refuse(say`This row is gone`);
            const { listing: all } = views.get(listing.predicate) ?? refuse(say`This output is not there`);
            return { listing: all, number: all.rows[there] ?? 0 };
        },
        'rulelang/page': page,
        'rulelang/cell': ({ column, ...reference }) => {
            const { view, row } = rowOf(reference);
            const { type = MIXED } = view.columns[column] ?? refuse(say`This column is not there`);
            return { text: textOf(view.dictionary, view.at(row, column), type, label) };
        },
        'rulelang/export': async ({ view: { marked: _, ...view }, format, path }) => {
            const rows = viewOf(view).view;
            const onTemporary = (file: string, exists: boolean): void => send({ kind: 'temporary', path: file, exists });
            await exportRows([rows], { format, path, label, onTemporary });
            return { rows: rows.count };
        },
        'rulelang/grouped': ({ view }) => {
            const { listing, measures } = groupsOf(view);
            return { output: outputSummary(listing), measures: [...measures] };
        },
        'rulelang/facts': ({ view, offset, limit }) => factsText(viewOf(view).view, offset, limit, markedIn(view)),
        'rulelang/rows': ({ output, offset }) =>
            rowsText((views.get(output) ?? refuse(say`This output is not there`)).listing, offset, label, names),
    };

    /** The groups that a view asks for; those of the last one are kept, so that paging through them is cheap. */
    function groupsOf({ output, grouped }: RowView): Groups {
        const { by, measured, ...narrowing } = grouped ?? refuse(say`This view has no groups`);
        const key = JSON.stringify([output, grouped]);
        if (groups?.key === key) return groups;
        const { listing, view } = viewOf({ output, ...narrowing });
        if ([...by, ...measured].some(column => column >= listing.columns.length)) refuse(say`This column is not there`);
        const made = groupRows(view, { by, measured });
        groups = { key, ...made, views: rowViews(made.listing, label) };
        return groups;
    }

    function markedIn({ output, marked: isMarked, grouped }: RowView): (Viewed & MarkedListing) | undefined {
        if (isMarked === undefined || grouped !== undefined) return undefined;
        if (!markedViews.has(output)) {
            const made = marked(output);
            markedViews.set(output, made && { ...made, ...viewed(made.listing) });
        }
        return markedViews.get(output);
    }

    function viewOf(description: RowView): { listing: Listing; view: Listing } {
        const { output, sort = [], filters = [], search = '' } = description;
        const { listing, views: own } =
            description.grouped === undefined
                ? (markedIn(description) ?? views.get(output) ?? refuse(say`This output is not there`))
                : groupsOf(description);
        const columns = [...sort, ...filters].map(({ column }) => column);
        if (columns.some(column => column >= listing.columns.length)) refuse(say`This column is not there`);
        for (const { operator, value } of filters) {
            const pattern = operator === 'matches' ? compileLinearPattern(value) : undefined;
            if (pattern?.ok === false) refuse(say`This is no pattern that can be sought: ${pattern.reason}`);
        }
        return { listing, view: own.view({ sort, filters, search }) };
    }

    function rowOf({ view: description, row }: RowPlace): { listing: Listing; view: Listing; row: number } {
        const { listing, view } = viewOf(description);
        if (row >= view.count) refuse(say`This row is not there`);
        return { listing, view, row };
    }

    function factsText(rows: Listing, offset: number, limit: number, among: MarkedListing | undefined): { text: string } {
        const clauses: string[] = [];
        let size = 0;
        for (let row = offset; row < Math.min(offset + limit, rows.count); row++) {
            if (among?.places[rows.rows[row] ?? 0] === -1) continue;
            const clause = factClause(rows, row, label);
            clauses.push(clause);
            size += clause.length;
            if (size > PAGE_CHARACTERS) refuse(say`These rows are too many to copy. Export them instead`);
        }
        return { text: clauses.map(clause => `${clause}\n`).join('') };
    }

    function page({ view: description, offset, limit }: ParamsOf<ProcessMethods, 'rulelang/page'>): ResultPage {
        const { listing, view } = viewOf(description);
        const among = markedIn(description);
        const cells: ResultPage['cells'][number][] = [];
        const marks: NonNullable<ResultPage['marks']>[number][] = [];
        let size = 0;
        for (let row = offset; row < Math.min(offset + limit, view.count) && size < PAGE_CHARACTERS; row++) {
            const line = view.columns.map(({ type }, column) => cellOf(view.dictionary, view.at(row, column), type, label));
            for (const cell of line) size += cellSize(cell);
            const mark = among?.marks.get(view.rows[row] ?? 0);
            if (mark !== undefined) marks.push({ place: cells.length, mark });
            cells.push(line);
        }
        return { rows: listing.count, matching: view.count, offset, cells, ...(marks.length > 0 && { marks }) };
    }
}
