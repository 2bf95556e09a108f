import type { Database } from '#engine/contracts/database.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { reportNotice } from '#server/notices/notice.ts';
import type { ParamsOf } from '#server/protocol/methods.ts';
import type { FromProcess, KeptAbout, ProcessMethods, ProgramRun } from '#server/protocol/run-process.ts';
import type { Followed, OutputKey, OutputSummary } from '#server/protocol/runs.ts';
import { errorsOf } from './evaluate-loaded.ts';
import { chosenPredicates, type FinishedRun, type LiveProgram } from './evaluate-run.ts';
import type { HeldRunUpdate } from './held-run.ts';
import {
    evaluatedRows,
    firstRows,
    followedRows,
    type LiveRows,
    type MarkedListing,
    markedListing,
    type RowsStep,
    withMarks,
} from './live-rows.ts';
import { type LoadedProgram, loadKnown } from './load-program.ts';
import { outputSummary } from './output-summary.ts';
import { labelled } from './results.ts';
import { runSource } from './run-source.ts';
import { type ServedResults, serveResults } from './serve-results.ts';
import { changedSource } from './what-if/changed-source.ts';
import { KeptAnswers, type WhatIfProgram } from './what-if/what-if-answers.ts';
import { remark, wireNotices } from './wire-notice.ts';

type LiveRun = FinishedRun & { readonly live: LiveProgram };
type Follow = ParamsOf<ProcessMethods, 'rulelang/follow'>;

/** Answers questions about the rows of a run that follow the edits of its program. */
export function serveLive(first: LiveRun, about: Omit<KeptAbout, 'note'>, send: (message: FromProcess) => void): ServedResults {
    const { held, lookup, read } = first.live;
    const rows = new Map<PredicateKey, LiveRows>();
    for (const { predicate } of first.results.listings) rows.set(predicate, firstRows(first.results.database, predicate));
    let followed: { readonly run: ProgramRun; readonly answer: Followed } | undefined;
    /** The marks begin anew with the next row that changes. */
    let isRested = true;
    const kept = new KeptAnswers();
    /** Of the rows that are served. */
    let now = { run: first.run, loaded: first.loaded };
    let served = serving(now.run, now.loaded, first.results.database);

    return {
        stop: id => served.stop(id),
        close: () => served.close(),
        answer: async (id, question) =>
            question.method === 'rulelang/follow'
                ? { kind: 'answer', id, result: await follow(question.params) }
                : served.answer(id, question),
    };

    async function follow({ text, modules, rested }: Follow): Promise<Followed> {
        isRested ||= rested;
        const run = { ...first.run, text, modules };
        if (followed === undefined || !sameTexts(followed.run, run)) followed = { run, answer: await updated(run) };
        return followed.answer;
    }

    async function updated(run: ProgramRun): Promise<Followed> {
        const began = performance.now();
        const loaded = loadKnown(runSource(run, read), lookup);
        const errors = errorsOf(loaded);
        if (errors.length > 0) return { kind: 'error', notices: errors };
        const shown = chosenPredicates(run, loaded);
        if (typeof shown === 'string') return { kind: 'error', notices: [remark(shown, 'error')] };
        const update = await held.update(loaded.program);
        if (update.kind === 'held') return update;
        const { outcome } = held;
        const notices = wireNotices(outcome.reports.map(reportNotice), loaded);
        if (!outcome.ok) return { kind: 'error', notices };
        now = { run, loaded };
        kept.clear();
        serve(shown, outcome.database, update);
        const outputs = shown.map(summaryOf);
        return { kind: 'rows', outputs, facts: factsIn(outcome.database), notices, milliseconds: Math.round(performance.now() - began) };
    }

    /** Serves the rows after an update in the place of those before it. */
    function serve(shown: readonly PredicateKey[], database: Database, update: HeldRunUpdate): void {
        replaceRows(shown, database, update);
        served.close();
        served = serving(now.run, now.loaded, database);
    }

    function replaceRows(shown: readonly PredicateKey[], database: Database, update: HeldRunUpdate): void {
        const steps = new Map(shown.map(key => [key, stepOf(key, database, update)]));
        const isChanged = [...steps.values()].some(({ added, removed }) => added.length + removed.length > 0);
        const before = new Map(rows);
        rows.clear();
        for (const [key, step] of steps) rows.set(key, withMarks(before.get(key), step, isRested && isChanged));
        if (isChanged) isRested = false;
    }

    function stepOf(key: PredicateKey, database: Database, update: HeldRunUpdate): RowsStep {
        const before = rows.get(key);
        if (update.kind !== 'followed' || before === undefined) return evaluatedRows(before, database, key);
        const { added = [], removed = [] } = update.changes.get(key) ?? {};
        return followedRows(before, database, {
            added: added.map(row => held.row(key, row)),
            removed: removed.map(row => held.row(key, row)),
        });
    }

    function serving(run: ProgramRun, loaded: LoadedProgram, database: Database): ServedResults {
        const listings = [...rows.values()].map(({ listing }) => listing);
        const results = { database, listings, label: labelled(listings, database.dictionary) };
        const outputs = [...rows.keys()].map(summaryOf);
        const marked = (key: OutputKey): MarkedListing | undefined => {
            const own = rows.get(key as PredicateKey);
            return own && markedListing(own);
        };
        const whatIf: WhatIfProgram = {
            held: async () => held,
            load: async changes => loadKnown(changedSource(runSource(run, read), changes), lookup),
            back,
            kept,
        };
        return serveResults({ ...first, run, loaded, results }, { ...about, outputs }, send, { marked, whatIf });
    }

    /** The program is what it was before others were tried; its values may have other numbers. */
    function back(update: HeldRunUpdate): void {
        const { outcome } = held;
        if (update.kind === 'evaluated' && outcome.ok) serve([...rows.keys()], outcome.database, update);
    }

    function summaryOf(key: PredicateKey): OutputSummary {
        const { listing, marks } = rows.get(key) as LiveRows;
        const { added, removed } = marks;
        return { ...outputSummary(listing), ...(added + removed > 0 && { changes: { added, removed } }) };
    }
}

function factsIn(database: Database): number {
    let facts = 0;
    for (const key of database.program.predicates.keys()) facts += database.relation(key)?.count ?? 0;
    return facts;
}

function sameTexts(before: ProgramRun, now: ProgramRun): boolean {
    return before.text === now.text && JSON.stringify(before.modules) === JSON.stringify(now.modules);
}
