import { factText } from '#engine/values/fact-text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { ChangedOutput } from './changed-outputs.ts';

/** A row that comes or goes, as a fact. */
export function changedRowText(
    { listing }: ChangedOutput,
    row: number,
    { predicates }: AnalysedProgram,
    label: (id: ValueId) => string,
): string {
    const predicate = predicates.get(listing.predicate);
    const values = listing.columns.map((_, column) => listing.at(row, column));
    return predicate === undefined ? '' : factText(listing.dictionary, predicate, values, label);
}
