import type { Database, RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import type { RowChange } from '#engine/maintain/changes.ts';
import { heldPlan, whyNotHeld } from '#engine/maintain/held-plan.ts';
import { HeldProgram, type HeldUpdate, type RowEdit } from '#engine/maintain/held-program.ts';
import type { Report } from '#engine/reports/reports.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { bytesOf } from './database-bytes.ts';
import { keptSources, SourceNotRead } from './kept-sources.ts';

/** A run whose results follow what is changed about its program. Nothing is written because of that. */
export interface HeldRun {
    readonly outcome: RunOutcome;
    update(program: AnalysedProgram): Promise<HeldRunUpdate>;
    /** The values of a row that the last update tells of. */
    row(key: PredicateKey, row: number): readonly number[];
    /** Shows the results of a trial to `look`, and takes the trial back. */
    tried<T>(trial: Trial, look: (results: TriedResults) => T): Promise<Tried<T>>;
}

export type HeldRunUpdate = Exclude<HeldUpdate, { readonly kind: 'refused' }> | NotFollowed;

/** Only a run, or sources that are read, tell what an edit makes of the results; they are as before. */
export interface NotFollowed {
    readonly kind: 'held';
    readonly why: string;
    readonly needs: 'run' | 'sources';
}

/** Temporary changes of a program. */
export interface Trial {
    /** The changed program, if its rules or parameters differ. */
    readonly program?: { readonly changed: AnalysedProgram; readonly parameters: RunOptions['parameters'] };
    /** The predicates with rules whose rows come or go. */
    readonly edited: ReadonlySet<PredicateKey>;
    /** The rows that come or go, in words where these cannot be told. */
    edits(database: Database): readonly RowEdit[] | string;
    /** No results are needed afterwards: the program is not brought back. */
    readonly once?: true;
}

export interface TriedResults {
    readonly database: Database;
    /** Changes since the results of the program, step by step; absent if everything was evaluated again, into another database. */
    readonly changes?: readonly ReadonlyMap<PredicateKey, RowChange>[];
    row(key: PredicateKey, row: number): readonly number[];
}

export type Tried<T> = {
    /** The update that brings the program back, if it was another one. */
    readonly back?: HeldRunUpdate;
} & (
    | { readonly kind: 'shown'; readonly shown: T }
    /** The results do not follow the edits if `notFollowed`: an evaluation of the changed program still has its rows. */
    | { readonly kind: 'failed'; readonly why: string | readonly Report[]; readonly notFollowed?: true }
);

export interface Holding {
    /** The predicates with rules whose rows may come and go at once. */
    readonly edited?: ReadonlySet<PredicateKey>;
    /** Nothing is read, asked or run because of a change. */
    readonly alone?: true;
}

/** Milliseconds that a change may take, or so many times what the first evaluation took. */
const LONGEST = 5000;
const MOST_TIMES = 3;
const SMALLEST_MEMORY = 64 * 1024 * 1024;

/** Why the results of a program cannot follow its edits; undefined where they can. */
function whyNotLive(program: AnalysedProgram, options: RunOptions): string | undefined {
    if (program.unsupported.length > 0) return say`It has what is not evaluated here`;
    return whyNotHeld(heldPlan(program, options));
}

/** Evaluates a program for results that follow what is changed about it; or says why they cannot, where that is to be done alone. */
export async function holdRun(program: AnalysedProgram, options: RunOptions, { edited, alone }: Holding): Promise<HeldRun | string> {
    const why = alone && whyNotLive(program, options);
    if (why !== undefined) return why;
    const { clock, deadline = Number.POSITIVE_INFINITY } = options;
    const sources = alone && keptSources(options.connectors);
    let latest = deadline;
    // What asks for the rest of the world is not held alone, and so it is left out.
    const { providers, queries, scripts, ...own } = options;
    const heldOptions: RunOptions = {
        ...own,
        ...(sources === undefined
            ? { ...(providers && { providers }), ...(queries && { queries }), ...(scripts && { scripts }) }
            : { connectors: sources.connectors }),
        get deadline() {
            return latest;
        },
    };
    const began = clock();
    const upkeep = { heldOnly: alone === true };
    const held = await HeldProgram.open(program, heldOptions, { ...upkeep, ...(edited && { edited }) });
    const longest = Math.max(LONGEST, MOST_TIMES * (clock() - began));
    const begin = (): void => {
        if (alone) latest = clock() + longest;
    };
    let now = { program, parameters: options.parameters };
    sources?.close();

    const update = async (changed: AnalysedProgram, parameters = options.parameters): Promise<HeldRunUpdate> => {
        try {
            const done = await held.update(changed, parameters);
            if (done.kind === 'refused') return { kind: 'held', why: done.why, needs: 'run' };
            now = { program: changed, parameters };
            return done;
        } catch (thrown) {
            if (thrown instanceof SourceNotRead) return { kind: 'held', why: say`It has a source that was not read`, needs: 'sources' };
            throw thrown;
        }
    };
    const tried = async <T>(
        { program: other, edited: wanted, edits, once }: Trial,
        look: (results: TriedResults) => T,
    ): Promise<Tried<T>> => {
        begin();
        const before = now;
        const isOther = other !== undefined;
        const first = isOther ? await update(other.changed, other.parameters) : undefined;
        if (first?.kind === 'held') return { kind: 'failed', why: first.why };
        const done = held.outcome.ok
            ? await triedRows(held, held.outcome.database, first, wanted, edits, look)
            : ({ kind: 'failed', why: held.outcome.reports } as const);
        if (once || (!isOther && held.notHeld === undefined)) return done;
        // The program is brought back however long that takes.
        latest = Number.POSITIVE_INFINITY;
        return { ...done, back: await update(before.program, before.parameters) };
    };
    const triedRows = async <T>(
        results: HeldProgram,
        database: Database,
        first: HeldRunUpdate | undefined,
        wanted: ReadonlySet<PredicateKey>,
        editsOf: Trial['edits'],
        look: (results: TriedResults) => T,
    ): Promise<Tried<T>> => {
        const whole = first?.kind === 'evaluated';
        const before = first?.kind === 'followed' ? [first.changes] : [];
        const shown = (changes: readonly ReadonlyMap<PredicateKey, RowChange>[]): T =>
            look({
                database: results.outcome.ok ? results.outcome.database : database,
                ...(!whole && { changes }),
                row: (key, row) => results.row(key, row) ?? [],
            });
        const edits = editsOf(database);
        if (typeof edits === 'string') return { kind: 'failed', why: edits };
        if (edits.length === 0) return { kind: 'shown', shown: shown(before) };
        if (results === held && [...wanted].some(key => !edited?.has(key))) return triedApart(database, wanted, editsOf, look);
        const why = say`Facts of this program cannot be changed alone: ${results.notHeld ?? say`the changed program fails`}`;
        const value = results.tried(edits, changes => ({ shown: shown([...before, changes]) }));
        return value === undefined ? { kind: 'failed', why, notFollowed: true } : { kind: 'shown', ...value };
    };
    /** Rows of predicates that were not held for that are changed in a second evaluation, which is given up afterwards. */
    const triedApart = async <T>(
        database: Database,
        wanted: ReadonlySet<PredicateKey>,
        editsOf: Trial['edits'],
        look: (results: TriedResults) => T,
    ): Promise<Tried<T>> => {
        const maxMemory = Math.max(SMALLEST_MEMORY, options.limits.maxMemory - bytesOf(database));
        const limited = { ...heldOptions, parameters: now.parameters, limits: { ...options.limits, maxMemory }, deadline: latest };
        const other = await HeldProgram.open(now.program, limited, { ...upkeep, edited: wanted });
        if (!other.outcome.ok) return { kind: 'failed', why: other.outcome.reports };
        return triedRows(other, other.outcome.database, { kind: 'evaluated', outcome: other.outcome }, wanted, editsOf, look);
    };
    return {
        get outcome() {
            return held.outcome;
        },
        row: (key, row) => held.row(key, row) ?? [],
        update: changed => {
            begin();
            return update(changed);
        },
        tried,
    };
}
