import { compileLinearPattern } from '#engine/evaluate/builtins/pattern.ts';
import { type GroupedRows, groupRows } from '#engine/results/group-rows.ts';
import type { Listing } from '#engine/results/listing.ts';
import { type RowViews, rowViews } from '#engine/results/row-view.ts';
import { textOf } from '#engine/values/text.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import type { Handlers, ParamsOf } from '#server/protocol/methods.ts';
import type { FromProcess, ProcessMethods } from '#server/protocol/run-process.ts';
import type { OutputKey, ResultPage, RowView } from '#server/protocol/runs.ts';
import { nullNames } from '#server/store/ordered-value.ts';
import { factClause } from '#server/terminal/print-facts.ts';
import { cellOf, cellSize } from './cells.ts';
import { exportRows } from './export-rows.ts';
import { outputSummary } from './output-summary.ts';
import { refuse } from './refusal.ts';
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
    /** A row of a view, by its position in it. */
    rowOf(place: RowPlace): { readonly listing: Listing; readonly view: Listing; readonly row: number };
}

/** Answers what needs nothing but rows: sorted, filtered and searched. */
export function rowAnswers({ listings, label }: Pick<Results, 'listings' | 'label'>, send: (message: FromProcess) => void): RowAnswers {
    const views = new Map<OutputKey, { readonly listing: Listing; readonly views: RowViews }>(
        listings.map(listing => [listing.predicate, { listing, views: rowViews(listing, label) }]),
    );
    const names = nullNames<string>();
    let groups: Groups | undefined;
    return {
        rowOf: place => {
            if (place.view.grouped !== undefined) refuse(say`A group is not explained. Open it, and explain one of its rows`);
            return rowOf(place);
        },
        'rulelang/page': page,
        'rulelang/cell': ({ column, ...reference }) => {
            const { view, row } = rowOf(reference);
            const { type = MIXED } = view.columns[column] ?? refuse(say`This column is not there`);
            return { text: textOf(view.dictionary, view.at(row, column), type, label) };
        },
        'rulelang/export': ({ view, format, path }) =>
            exportRows(viewOf(view).view, {
                format,
                path,
                label,
                onTemporary: (file, exists) => send({ kind: 'temporary', path: file, exists }),
            }),
        'rulelang/grouped': ({ view }) => {
            const { listing, measures } = groupsOf(view);
            return { output: outputSummary(listing), measures: [...measures] };
        },
        'rulelang/facts': ({ view, offset, limit }) => factsText(viewOf(view).view, offset, limit),
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

    function viewOf(description: RowView): { listing: Listing; view: Listing } {
        const { output, sort = [], filters = [], search = '' } = description;
        const { listing, views: own } =
            description.grouped === undefined ? (views.get(output) ?? refuse(say`This output is not there`)) : groupsOf(description);
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

    function factsText(rows: Listing, offset: number, limit: number): { text: string } {
        const clauses: string[] = [];
        let size = 0;
        for (let row = offset; row < Math.min(offset + limit, rows.count); row++) {
            const clause = factClause(rows, row, label);
            clauses.push(clause);
            size += clause.length;
            if (size > PAGE_CHARACTERS) refuse(say`These rows are too many to copy. Export them instead`);
        }
        return { text: clauses.map(clause => `${clause}\n`).join('') };
    }

    function page({ view: description, offset, limit }: ParamsOf<ProcessMethods, 'rulelang/page'>): ResultPage {
        const { listing, view } = viewOf(description);
        const cells: ResultPage['cells'][number][] = [];
        let size = 0;
        for (let row = offset; row < Math.min(offset + limit, view.count) && size < PAGE_CHARACTERS; row++) {
            const line = view.columns.map(({ type }, column) => cellOf(view.dictionary, view.at(row, column), type, label));
            for (const cell of line) size += cellSize(cell);
            cells.push(line);
        }
        return { rows: listing.count, matching: view.count, offset, cells };
    }
}
