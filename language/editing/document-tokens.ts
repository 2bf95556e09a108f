import { commonEnds } from '#language/analysis/common-ends.ts';
import { lastClauseStartingAt, type OpenDocument } from '#language/document/open-document.ts';
import type { Clause } from '#language/program/program.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import { type ClauseTokens, cachedTokens, nameTraits, sameTraits, type Traits, traitsOf } from './semantic-tokens.ts';

/**
 * The tokens of a document that changes. After a change, those clauses are looked at that came, and those in which a name
 * has other traits.
 */
export class DocumentTokens {
    #clauses: readonly Clause[] = [];
    #tokens: readonly ClauseTokens[] = [];
    readonly #traits = new Map<string, Traits>();

    /** The tokens of each clause as it is now; they stay the same object as long as they stay the same. */
    update(document: OpenDocument): readonly ClauseTokens[] {
        const changed = this.#changedNames(document);
        const traits = nameTraits(document, this.#traits);
        const before = this.#clauses;
        const { clauses } = document.program;
        const { start, tail } = commonEnds(before, clauses);
        const known = new Map(before.slice(start, before.length - tail).map((clause, i) => [clause, this.#tokens[start + i]] as const));
        const between = clauses
            .slice(start, clauses.length - tail)
            .map(clause => known.get(clause) ?? cachedTokens(document, clause, traits));
        const tokens = this.#tokens.slice(0, start).concat(between, this.#tokens.slice(before.length - tail));
        for (const { clause } of changed.flatMap(name => symbolsOf(document).named(name))) {
            tokens[lastClauseStartingAt(clauses, clause.place.offset)] = cachedTokens(document, clause, traits);
        }
        this.#clauses = clauses;
        this.#tokens = tokens;
        return tokens;
    }

    /** Brings the traits of the names up to date; gives the names of which they are others. */
    #changedNames(document: OpenDocument): string[] {
        const index = symbolsOf(document);
        const changed: string[] = [];
        for (const [name, before] of this.#traits) {
            if (!index.mentions(name)) {
                this.#traits.delete(name);
                continue;
            }
            const now = traitsOf(document, name);
            if (sameTraits(before, now)) continue;
            this.#traits.set(name, now);
            changed.push(name);
        }
        return changed;
    }
}
