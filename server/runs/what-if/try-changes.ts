import type { Database } from '#engine/contracts/database.ts';
import { askedValues, findFacts } from '#engine/explain/find-facts.ts';
import type { RowEdit } from '#engine/maintain/held-program.ts';
import type { Listing } from '#engine/results/listing.ts';
import { printAtomText } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import { type Notice, reportNotice } from '#server/notices/notice.ts';
import type { HeldRun, Tried } from '../held-run.ts';
import type { LoadedProgram } from '../load-program.ts';
import { type ChangedOutput, changedOutputs, comparedOutput } from './changed-outputs.ts';
import { type Changes, editedIn, factKey, removesDerived } from './read-changes.ts';

export type TriedChanges = Pick<Tried<unknown>, 'back'> &
    (
        | {
              readonly kind: 'outputs';
              readonly outputs: readonly ChangedOutput[];
              /** Why the changed program was evaluated anew, in words; absent if held results followed the changes. */
              readonly anew?: string;
          }
        /** Words, or the reports of the changed program. */
        | { readonly kind: 'failed'; readonly why: string | readonly Notice[] }
    );

/** The program for a trial. */
export interface TriedProgram {
    readonly loaded: LoadedProgram;
    /** With other rules and parameters, where these are others. */
    readonly changed?: LoadedProgram;
    /** Its results, and the rows of the outputs that are looked at. */
    readonly database: Database;
    readonly before: readonly Listing[];
    /** No results are needed afterwards. */
    readonly once?: true;
    /** Evaluates the changed program for the rows of its outputs; undefined after it has told why there are none. */
    readonly anew: () => Promise<readonly Listing[] | undefined>;
}

/**
 * Finds the rows of outputs that come and go with some changes: from held results, or if these do not follow the changes, by an evaluation
 * of the changed program. `held` may say why there are none.
 */
export async function tryChanges(held: HeldRun | string, changes: Changes, tried: TriedProgram): Promise<TriedChanges> {
    if (typeof held === 'string') return tryAnew(held, changes, tried);
    const followed = await tryHeld(held, changes, tried);
    const back = followed.back && { back: followed.back };
    if (followed.kind === 'shown') return { kind: 'outputs', ...followed.shown, ...back };
    const { why } = followed;
    if (typeof why !== 'string') return { kind: 'failed', why: why.map(reportNotice), ...back };
    return { ...(followed.notFollowed ? await tryAnew(why, changes, tried) : ({ kind: 'failed', why } as const)), ...back };
}

async function tryAnew(why: string, changes: Changes, { loaded, changed, database, before, anew }: TriedProgram): Promise<TriedChanges> {
    // No text lacks a row that rules derive.
    if (removesDerived(changes, (changed ?? loaded).program))
        return { kind: 'failed', why: say`Rows that rules derive cannot be taken away in this program: ${why}` };
    const edits = editsOf(changes, database);
    if (typeof edits === 'string') return { kind: 'failed', why: edits };
    const after = await anew();
    if (after === undefined) return { kind: 'failed', why: [] };
    const listings = new Map(after.map(listing => [listing.predicate, listing]));
    return { kind: 'outputs', outputs: before.map(listing => comparedOutput(listing, listings.get(listing.predicate))), anew: why };
}

interface Shown {
    readonly outputs: readonly ChangedOutput[];
    readonly anew?: string;
}

function tryHeld(held: HeldRun, changes: Changes, { loaded, changed, before, once }: TriedProgram): Promise<Tried<Shown>> {
    const trial = {
        ...(changed && { program: { changed: changed.program, parameters: changed.parameters } }),
        edited: editedIn(changes, (changed ?? loaded).program),
        edits: (database: Database) => editsOf(changes, database),
        ...(once && { once }),
    };
    return held.tried(trial, results => ({
        outputs: changedOutputs(results, before),
        ...(results.notHeld !== undefined && { anew: results.notHeld }),
    }));
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
