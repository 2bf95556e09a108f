import { explainFact } from '#engine/explain/explain.ts';
import type { ContributionNode, DerivationNode, FactNode, PremiseNode } from '#engine/explain/explanation.ts';
import { findFacts } from '#engine/explain/find-facts.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { nullLabels } from '#engine/results/listing.ts';
import type { NullLabel } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Clause } from '#language/program/program.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { readFact } from '../asked-fact.ts';
import { type Edit, type Side, type Sides, translationTo, valuesIn } from './edits.ts';

type SideName = keyof Sides;

/** Facts of the other run at most that a negated atom is looked up among. */
const MOST_ABSENT = 20;

/**
 * Finds the edits between two runs that the explanation of a fact uses: facts and rules of its derivations that the other run lacks. It
 * does not follow premises that both runs have. It follows negated facts that held in the other run.
 */
export class ExplainedEdits {
    readonly #sides: Sides;
    readonly #clauses: Readonly<Record<SideName, Map<string, number>>> = { before: new Map(), after: new Map() };
    readonly #rows: Readonly<Record<SideName, Map<string, number>>> = { before: new Map(), after: new Map() };
    /** The text by which rules name a parameter that has another value. */
    readonly #parameters: (readonly [RegExp, number])[] = [];
    readonly #labels: Readonly<Record<SideName, NullLabel>>;
    readonly #translations: Readonly<Record<SideName, (id: ValueId) => ValueId>>;
    readonly #checkpoint: () => void;

    constructor(sides: Sides, edits: readonly Edit[], checkpoint: () => void) {
        this.#sides = sides;
        this.#checkpoint = checkpoint;
        const dictionaries = { before: sides.before.database.dictionary, after: sides.after.database.dictionary };
        this.#labels = { before: nullLabels(dictionaries.before), after: nullLabels(dictionaries.after) };
        this.#translations = {
            before: translationTo(dictionaries.before, dictionaries.after),
            after: translationTo(dictionaries.after, dictionaries.before),
        };
        for (const [number, edit] of edits.entries()) this.#index(edit, number);
    }

    #index(edit: Edit, number: number): void {
        if (edit.kind === 'rows') {
            for (const side of ['before', 'after'] as const)
                for (const row of side === 'before' ? edit.removed : edit.added) this.#rows[side].set(keyOf(row), number);
            return;
        }
        const { change, clauses } = edit.edit;
        if (change.kind === 'parameter')
            this.#parameters.push([new RegExp(`\\?(?:\\{|)${change.name.replaceAll(/[^\w]/gu, '\\$&')}\\b`, 'u'), number]);
        for (const clause of clauses) {
            if ('before' in clause) this.#clauses.before.set(clauseKey(clause.before), number);
            if ('after' in clause) this.#clauses.after.set(clauseKey(clause.after), number);
        }
    }

    /** The edits that the first derivations of a fact use, or all of its derivations. */
    of(side: SideName, fact: FactRow, all: boolean): number[] {
        const found = new Set<number>();
        this.#look(side, fact, all, found, new Set());
        return [...found].sort((left, right) => left - right);
    }

    #look(side: SideName, fact: FactRow, all: boolean, found: Set<number>, seen: Set<string>): void {
        const key = `${side} ${keyOf(fact)}`;
        if (seen.has(key)) return;
        seen.add(key);
        this.#checkpoint();
        const { database } = this.#sides[side];
        const node = explainFact(database, fact, { all, label: this.#labels[side], checkpoint: this.#checkpoint });
        const given = this.#rows[side].get(keyOf(fact));
        if (given !== undefined) found.add(given);
        if (node.origin?.kind === 'clause') this.#clause(side, node.origin.place, node.origin.span, found);
        for (const derivation of node.derivations) this.#derivation(side, derivation, all, found, seen);
    }

    #derivation(
        side: SideName,
        { rule, place, span, premises, absent = [] }: DerivationNode,
        all: boolean,
        found: Set<number>,
        seen: Set<string>,
    ): void {
        this.#clause(side, place, span, found);
        for (const [name, number] of this.#parameters) if (name.test(rule)) found.add(number);
        for (const premise of premises) this.#premise(side, premise, all, found, seen);
        for (const text of absent) this.#absent(side, text, all, found, seen);
    }

    #premise(side: SideName, premise: PremiseNode, all: boolean, found: Set<number>, seen: Set<string>): void {
        if (premise.kind === 'group') {
            for (const contribution of premise.contributions) this.#contribution(side, contribution, all, found, seen);
            return;
        }
        if (!this.#isCommon(side, premise)) this.#look(side, premise.row, all, found, seen);
    }

    #contribution(side: SideName, contribution: ContributionNode, all: boolean, found: Set<number>, seen: Set<string>): void {
        this.#derivation(side, contribution, all, found, seen);
    }

    /** Follows a negated fact that held in the other run. */
    #absent(side: SideName, text: string, all: boolean, found: Set<number>, seen: Set<string>): void {
        const asked = readFact(text);
        if (asked === undefined) return;
        const other = otherThan(side);
        const there = findFacts(this.#sides[other].database, asked.atom, asked.place, this.#checkpoint);
        for (const fact of there.kind === 'found' ? there.facts.slice(0, MOST_ABSENT) : [])
            if (!this.#holds(other, fact)) this.#look(other, fact, all, found, seen);
    }

    #clause(side: SideName, place: ClausePlace, span: Span, found: Set<number>): void {
        const number = this.#clauses[side].get(placeKey(place, span));
        if (number !== undefined) found.add(number);
    }

    #isCommon(side: SideName, { row }: FactNode): boolean {
        return this.#holds(side, row);
    }

    /** Whether the other run has a fact of one, too. */
    #holds(side: SideName, { predicate, row }: FactRow): boolean {
        const [own, other] = [this.#relationOf(this.#sides[side], predicate), this.#relationOf(this.#sides[otherThan(side)], predicate)];
        if (own === undefined || other === undefined || own.arity !== other.arity) return false;
        return other.find(valuesIn(own, row).map(this.#translations[side])) >= 0;
    }

    #relationOf({ database }: Side, predicate: FactRow['predicate']) {
        return database.relation(predicate);
    }
}

function otherThan(side: SideName): SideName {
    return side === 'before' ? 'after' : 'before';
}

function keyOf({ predicate, row }: FactRow): string {
    return `${predicate} ${row}`;
}

function clauseKey({ place, span }: Clause): string {
    return placeKey(place, span);
}

function placeKey({ file, offset }: ClausePlace, { start }: Span): string {
    return `${file}:${offset + start}`;
}
