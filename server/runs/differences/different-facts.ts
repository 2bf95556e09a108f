import { nullLabels } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import type { Predicate } from '#language/program/analysed-program.ts';
import type { ComparedOutput } from '../compare-listings.ts';

/** The rows that differ in an output as facts of its predicate. */
export function differentFacts({ listing }: ComparedOutput, predicate: Predicate | undefined): (row: number) => string {
    const label = nullLabels(listing.dictionary);
    return row => {
        const values = listing.columns.slice(1).map((_, column) => listing.at(row, column + 1));
        return predicate === undefined ? '' : factText(listing.dictionary, predicate, values, label);
    };
}
