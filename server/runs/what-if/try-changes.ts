import type { Database } from '#engine/contracts/database.ts';
import { askedValues, findFacts } from '#engine/explain/find-facts.ts';
import type { RowEdit } from '#engine/maintain/held-program.ts';
import type { Listing } from '#engine/results/listing.ts';
import { printAtomText } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import { type Notice, reportNotice } from '#server/notices/notice.ts';
import type { HeldRun, Tried } from '../held-run.ts';
import type { LoadedProgram } from '../load-program.ts';
import { type ChangedOutput, changedOutputs } from './changed-outputs.ts';
import { type Changes, editedIn, factKey } from './read-changes.ts';

export type TriedChanges = Pick<Tried<unknown>, 'back'> &
    ({ readonly kind: 'outputs'; readonly outputs: readonly ChangedOutput[] } | NotTried);

export interface NotTried {
    readonly kind: 'failed';
    /** Words, or the reports of the changed program. */
    readonly why: string | readonly Notice[];
    /** The results do not follow the edits: only an evaluation of the changed program has its rows. */
    readonly notFollowed?: true;
}

/** The program for a trial. */
export interface TriedProgram {
    readonly loaded: LoadedProgram;
    /** With other rules and parameters, where these are others. */
    readonly changed?: LoadedProgram;
    /** The rows of the outputs that are looked at. */
    readonly before: readonly Listing[];
    /** No results are needed afterwards. */
    readonly once?: true;
}

/** Finds the rows of outputs that come and go with some changes. */
export async function tryChanges(held: HeldRun, changes: Changes, { loaded, changed, before, once }: TriedProgram): Promise<TriedChanges> {
    const trial = {
        ...(changed && { program: { changed: changed.program, parameters: changed.parameters } }),
        edited: editedIn(changes, (changed ?? loaded).program),
        edits: (database: Database) => editsOf(changes, database),
        ...(once && { once }),
    };
    const tried = await held.tried(trial, results => changedOutputs(results, before));
    const back = tried.back && { back: tried.back };
    if (tried.kind === 'shown') return { kind: 'outputs', outputs: tried.shown, ...back };
    const { why, notFollowed } = tried;
    return { kind: 'failed', why: typeof why === 'string' ? why : why.map(reportNotice), ...(notFollowed && { notFollowed }), ...back };
}

/** Turns changed facts into edits of rows; a text says which fact is not definite. */
function editsOf({ addedFacts, removedFacts }: Changes, database: Database): RowEdit[] | string {
    const edits: RowEdit[] = [];
    for (const { atom, place } of removedFacts) {
        const found = findFacts(database, atom, place);
        if (found.kind !== 'found') return say`No fact fits '${printAtomText(atom)}'`;
        for (const { predicate, row } of found.facts)
            edits.push({
                predicate,
                kind: 'remove',
                values: (database.relation(predicate)?.columns ?? []).map(column => column[row] ?? 0),
            });
    }
    for (const fact of addedFacts) {
        const values = askedValues(database, fact.atom, fact.place);
        if (values.includes(undefined)) return say`'${printAtomText(fact.atom)}' leaves a value open; a fact that is added has all`;
        edits.push({ predicate: factKey(fact), kind: 'add', values: values.flatMap(value => value ?? []) });
    }
    return edits;
}
