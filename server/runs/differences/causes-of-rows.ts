import type { FactRow } from '#engine/explain/match-rule.ts';
import type { HeldProgram } from '#engine/maintain/held-program.ts';
import { RunStopped } from '#engine/reports/reports.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ComparedOutput, RowDifference } from '../compare-listings.ts';
import type { LoadedProgram } from '../load-program.ts';
import type { MixedProgram } from '../mixed-program.ts';
import { type Edit, type Sides, translationTo } from './edits.ts';
import { ExplainedEdits } from './explained-edits.ts';
import { ProgramsBetween, type SearchedRow } from './programs-between.ts';
import { type DifferentRow, type RowCause, rowCauses } from './row-causes.ts';

/** The search for the edits that make each of the differing rows. */
export interface CausesAsked {
    readonly sides: Sides;
    readonly edits: readonly Edit[];
    readonly compared: readonly ComparedOutput[];
    /** Of the values that are compared. */
    readonly dictionary: Dictionary;
    /** Rows of each output at most for which it is found out. */
    readonly most: number;
    /** Holds the earlier program with its rows. */
    readonly held: HeldProgram;
    /** A program, undefined where it has errors. */
    load(mixed: MixedProgram): Promise<LoadedProgram | undefined>;
    /** Whether no more is to be evaluated. */
    enough(): boolean;
    /** Ends an explanation by an error. */
    checkpoint(): void;
}

/** For each output, in the order of its different rows, the edits that make them; undefined where there was no time, or where something else does. */
export async function causesOfRows(asked: CausesAsked): Promise<readonly (readonly (RowCause | undefined)[])[]> {
    const { sides, edits, compared, dictionary, most, enough, checkpoint } = asked;
    const explained = new ExplainedEdits(sides, edits, checkpoint);
    const searched = compared.map(output => searchedRows(output, most));
    const between = new ProgramsBetween({ ...asked, rows: searched.flat() });
    const toBefore = translationTo(dictionary, sides.before.database.dictionary);
    const toAfter = translationTo(dictionary, sides.after.database.dictionary);
    const factOf = ({ predicate, values, isNew }: SearchedRow): FactRow | undefined => {
        const relation = (isNew ? sides.after : sides.before).database.relation(predicate);
        if (relation === undefined || relation.arity !== values.length) return undefined;
        const row = relation.find(values.map(isNew ? toAfter : toBefore));
        return row < 0 ? undefined : { predicate, row };
    };
    const likely = (row: SearchedRow, partner: SearchedRow | undefined): Iterable<readonly number[]> => {
        const facts = [row, ...(partner === undefined ? [] : [partner])].flatMap(one => {
            const fact = factOf(one);
            return fact === undefined ? [] : [{ side: one.isNew ? ('after' as const) : ('before' as const), fact }];
        });
        return usedBy(explained, facts);
    };
    const rows = compared.flatMap(({ kinds }, at) => {
        const own = searched[at] ?? [];
        return own.map((row, index): DifferentRow => ({ likely: () => likely(row, own[partnerOf(kinds, index)]) }));
    });
    const causes = await rowCauses({ edits: edits.length, rows, evaluate: numbers => between.evaluate(numbers), enough });
    let begin = 0;
    return searched.map(own => {
        begin += own.length;
        return causes.slice(begin - own.length, begin);
    });
}

function searchedRows({ listing, kinds }: ComparedOutput, most: number): SearchedRow[] {
    const width = listing.columns.length - 1;
    return kinds.slice(0, most).map((kind, row) => ({
        predicate: listing.predicate,
        values: Array.from({ length: width }, (_, column) => listing.at(row, column + 1)),
        isNew: kind === 'added' || kind === 'now',
    }));
}

/** Of a changed row the other of the two, else a place where none is. */
function partnerOf(kinds: readonly RowDifference[], index: number): number {
    return kinds[index] === 'was' ? index + 1 : kinds[index] === 'now' ? index - 1 : -1;
}

/** First what the first derivations of some facts use, then what all of them use. */
function* usedBy(
    explained: ExplainedEdits,
    facts: readonly { readonly side: keyof Sides; readonly fact: FactRow }[],
): Generator<readonly number[]> {
    for (const all of [false, true]) {
        try {
            const used = new Set(facts.flatMap(({ side, fact }) => explained.of(side, fact, all)));
            if (used.size > 0) yield [...used].sort((left, right) => left - right);
        } catch (error) {
            // What takes too long to explain is searched among all edits.
            if (!(error instanceof RunStopped)) throw error;
        }
    }
}
