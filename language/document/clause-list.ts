import { spliced } from '#language/analysis/spliced.ts';
import { type Steps, withEach } from '#language/analysis/steps.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { indentation, isFirstOnLine, lineStart, ownText } from '#language/syntax/characters.ts';
import { clauseExtent } from '#language/syntax/clause-end.ts';
import { readPlainFact } from '#language/syntax/plain-fact.ts';
import { type KnownTexts, problemsOfText, readClause, touchesBefore } from '#language/syntax/read-clause.ts';
import { type ClauseSlice, splitClauses } from '#language/syntax/split-clauses.ts';
import { changedText, differenceOf, type TextChange } from './text-change.ts';

/** A clause of a document, and what deciding about it again needs. */
export interface ClauseEntry {
    readonly clause: Clause;
    /** Problems of reading the clause. */
    readonly problems: readonly Problem[];
    readonly settled: boolean;
    readonly last: boolean;
}

/**
 * The clauses of a text that changes. After a change it reads the clauses that the change can have touched, and moves
 * the places of those behind it; a clause whose text stays the same stays the same object.
 */
export class ClauseList {
    readonly file: string;
    #text: string;
    #entries: ClauseEntry[];
    #clauses: readonly Clause[];
    #places: ClausePlace[];
    /** The entries with problems, and those whose end depends on what follows. */
    #faulty: readonly ClauseEntry[];
    #unsettled: readonly ClauseEntry[];

    private constructor(text: string, file: string, entries: ClauseEntry[]) {
        this.file = file;
        this.#text = text;
        this.#entries = entries;
        this.#clauses = this.#entries.map(({ clause }) => clause);
        this.#places = this.#clauses.map(({ place }) => place);
        this.#faulty = this.#entries.filter(hasProblems);
        this.#unsettled = this.#entries.filter(isUnsettled);
    }

    static *reading(text: string, file: string): Steps<ClauseList> {
        const entries: ClauseEntry[] = [];
        const known: KnownTexts = new Map();
        yield* withEach(splitClauses(text, file), slice => void entries.push(entryOf(slice, text, known)));
        return new ClauseList(text, file, entries);
    }

    get text(): string {
        return this.#text;
    }

    get clauses(): readonly Clause[] {
        return this.#clauses;
    }

    /** Problems of reading the clauses, in text order. */
    get problems(): readonly Problem[] {
        const all = this.#faulty.flatMap(({ problems }) => problems);
        return problemsOfText(all.sort(byRange), this.#text);
    }

    /** Replaces a part of the text. */
    change(wanted: TextChange): void {
        const before = this.#text;
        const inner = differenceOf(before.slice(wanted.start, wanted.end), wanted.text);
        if (inner === undefined) return;
        const change = { start: wanted.start + inner.start, end: wanted.start + inner.end, text: inner.text };
        const after = changedText(before, change);
        const first = this.#firstTouched(change, after);
        const { slices, end } = this.#rescan(first, change, after);
        this.#replace(first, end, slices, after);
    }

    /** Replaces the whole text. */
    replaceText(text: string): void {
        const change = differenceOf(this.#text, text);
        if (change !== undefined) this.change(change);
    }

    /** Index of the first clause whose end, or whose being the last, the change may decide. */
    #firstTouched({ start }: TextChange, after: string): number {
        const entries = this.#entries;
        // A clause depends on nothing behind its line, except for the character after the line's end.
        const sameLine = lineStart(this.#text, Math.max(0, start - 2));
        let touched = indexWhere(entries, ({ clause }) => endOf(clause) >= sameLine);
        const reached = entries[touched]?.clause.place.offset;
        if (touched > 0 && (reached === undefined || reached >= start)) touched--;
        for (const { clause } of this.#unsettled) {
            const { offset } = clause.place;
            if (offset >= (entries[touched]?.clause.place.offset ?? 0)) break;
            if (clauseExtent(after, offset).end !== endOf(clause)) return indexWhere(entries, entry => entry.clause.place.offset >= offset);
        }
        return touched;
    }

    /** The clauses from the first touched one up to one that stands as it stood before, and the index after that one. */
    #rescan(first: number, change: TextChange, after: string): { readonly slices: readonly ClauseSlice[]; readonly end: number } {
        const entries = this.#entries;
        const moved = change.text.length - (change.end - change.start);
        const same = change.start + change.text.length;
        const previous = entries[first - 1]?.clause;
        const slices: ClauseSlice[] = [];
        let next = first;
        for (const slice of splitClauses(after, this.file, previous && { place: previous.place, end: endOf(previous) })) {
            slices.push(slice);
            const start = slice.place.offset;
            if (start < same) continue;
            while (next < entries.length && (entries[next]?.clause.place.offset ?? 0) + moved < start) next++;
            const old = entries[next]?.clause.place.offset;
            if (old === undefined || old + moved !== start) continue;
            const sameLead =
                indentation(this.#text, old) === indentation(after, start) &&
                isFirstOnLine(this.#text, old) === isFirstOnLine(after, start);
            if (sameLead) return { slices, end: next + 1 };
        }
        return { slices, end: entries.length };
    }

    #replace(first: number, end: number, slices: readonly ClauseSlice[], after: string): void {
        const entries = this.#entries;
        const last = slices.at(-1)?.place;
        if (last !== undefined && end < entries.length) moveTail(this.#places, end, last);
        const replaced = entries.slice(first, end);
        const known = entriesByText(replaced, this.#text);
        const read: KnownTexts = new Map();
        const fresh = slices.map(slice => reusedEntry(slice, after, known) ?? entryOf(withOwnText(slice, after), after, read));
        const clauses = fresh.map(({ clause }) => clause);
        this.#entries = spliced(entries, first, replaced.length, fresh);
        this.#clauses = spliced([...this.#clauses], first, replaced.length, clauses);
        this.#places = spliced(
            this.#places,
            first,
            replaced.length,
            clauses.map(({ place }) => place),
        );
        this.#faulty = exchanged(this.#faulty, replaced, fresh.filter(hasProblems));
        this.#unsettled = exchanged(this.#unsettled, replaced, fresh.filter(isUnsettled));
        this.#text = after;
    }
}

/** The errors of reading the first clauses of a text, in text order. What follows these clauses is not looked at. */
export function errorsOfFirst(count: number, text: string, file: string): readonly Problem[] {
    const problems: Problem[] = [];
    const known: KnownTexts = new Map();
    let read = 0;
    for (const slice of splitClauses(text, file)) {
        problems.push(...readClause(slice, text, known).problems);
        if (++read === count) break;
    }
    return problemsOfText(problems.sort(byRange), text).filter(({ severity }) => severity === 'error');
}

function hasProblems({ problems }: ClauseEntry): boolean {
    return problems.length > 0;
}

function isUnsettled({ settled }: ClauseEntry): boolean {
    return !settled;
}

/** Some of the entries, without those that were replaced and with those that came, in text order. */
function exchanged(some: readonly ClauseEntry[], replaced: readonly ClauseEntry[], added: readonly ClauseEntry[]): readonly ClauseEntry[] {
    if (some.length === 0 && added.length === 0) return some;
    const gone = new Set(replaced);
    const kept = some.filter(entry => !gone.has(entry));
    return [...kept, ...added].sort((a, b) => a.clause.place.offset - b.clause.place.offset);
}

/** The order in which problems are listed. */
export function byRange(a: Problem, b: Problem): number {
    return a.place.offset - b.place.offset || a.span.start - b.span.start || a.span.end - b.span.end;
}

export function endOf({ place, span }: Clause): number {
    return place.offset + span.end;
}

/** Index of the first entry with a property that all later ones have too. */
function indexWhere(entries: readonly ClauseEntry[], holds: (entry: ClauseEntry) => boolean): number {
    let low = 0;
    let high = entries.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        const entry = entries[middle];
        if (entry !== undefined && holds(entry)) high = middle;
        else low = middle + 1;
    }
    return low;
}

/** Moves the clauses from an index on as far as the one before them is about to move. */
function moveTail(places: readonly ClausePlace[], from: number, now: Readonly<ClausePlace>): void {
    const before = places[from - 1];
    if (before === undefined) return;
    const { offset, line, column } = before;
    const [down, right, forward] = [now.line - line, now.column - column, now.offset - offset];
    if (forward === 0 && down === 0 && right === 0) return;
    for (let index = from; index < places.length; index++) {
        const place = places[index];
        if (place === undefined) continue;
        if (place.line === line) place.column += right;
        place.offset += forward;
        place.line += down;
    }
}

/** The entries of each text, the last one first. */
function entriesByText(entries: readonly ClauseEntry[], text: string): Map<string, ClauseEntry[]> {
    const known = new Map<string, ClauseEntry[]>();
    for (const entry of entries) {
        const { place } = entry.clause;
        const written = text.slice(place.offset, endOf(entry.clause));
        const same = known.get(written);
        if (same === undefined) known.set(written, [entry]);
        else same.push(entry);
    }
    for (const same of known.values()) same.reverse();
    return known;
}

/** The entry of a slice: the first of the same text as it is or with other documentation. */
function reusedEntry(slice: ClauseSlice, text: string, known: ReadonlyMap<string, ClauseEntry[]>): ClauseEntry | undefined {
    const { place, end, documentation, settled, last } = slice;
    const candidates = known.get(text.slice(place.offset, end));
    const same = candidates?.findLastIndex(({ clause }) => clause.documentation === documentation) ?? -1;
    const [entry] = candidates?.splice(same, 1) ?? [];
    if (entry === undefined || entry.problems.length > 0 || touchesBefore(slice, text)) return undefined;
    const { offset, line, column } = place;
    Object.assign(entry.clause.place, { offset, line, column });
    return { clause: withDocumentation(entry.clause, documentation), problems: entry.problems, settled, last };
}

function entryOf(slice: ClauseSlice, text: string, known: KnownTexts): ClauseEntry {
    const { clause, problems } = readClause(slice, text, known);
    return { clause, problems, settled: slice.settled, last: slice.last };
}

/** The slice with a fact that keeps no part of the whole text alive. */
function withOwnText(slice: ClauseSlice, text: string): ClauseSlice {
    const { place, end, fact } = slice;
    return fact === undefined ? slice : { ...slice, fact: readPlainFact(ownText(text.slice(place.offset, end)), 0, place) };
}

function withDocumentation(clause: Clause, documentation: string | undefined): Clause {
    if (clause.documentation === documentation) return clause;
    const { documentation: _, ...plain } = clause;
    return documentation === undefined ? plain : { ...plain, documentation };
}
