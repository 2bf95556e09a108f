import type { Problem } from '#language/program/problem.ts';
import type { Clause } from '#language/program/program.ts';
import { indentation, isFirstOnLine, lineStart, ownText } from '#language/syntax/characters.ts';
import { clauseExtent } from '#language/syntax/clause-end.ts';
import { readPlainFact } from '#language/syntax/plain-fact.ts';
import { readClause } from '#language/syntax/read-clause.ts';
import { type ClauseSlice, splitClauses } from '#language/syntax/split-clauses.ts';
import { changedText, differenceOf, type TextChange } from './text-change.ts';

/** A clause of a document, and what deciding about it again needs. */
export interface ClauseEntry {
    readonly clause: Clause;
    /** What reading the clause found wrong. */
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
    #entries: readonly ClauseEntry[];

    constructor(text: string, file: string) {
        this.file = file;
        this.#text = text;
        this.#entries = Array.from(splitClauses(text, file), slice => entryOf(slice, text));
    }

    get text(): string {
        return this.#text;
    }

    get entries(): readonly ClauseEntry[] {
        return this.#entries;
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
        const offset = entries[touched]?.clause.place.offset;
        if (touched > 0 && (offset === undefined || offset >= start)) touched--;
        for (const [index, { clause, settled }] of entries.entries()) {
            if (index >= touched) break;
            if (!settled && clauseExtent(after, clause.place.offset).end !== endOf(clause)) return index;
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
        const tail = entries.slice(end);
        if (last !== undefined && tail.length > 0) moveTail(entries[end - 1]?.clause.place ?? last, last, tail);
        const known = entriesByText(entries.slice(first, end), this.#text);
        const fresh = slices.map(slice => reusedOrRead(slice, after, known));
        this.#entries = entries.slice(0, first).concat(fresh, tail);
        this.#text = after;
    }
}

function endOf({ place, span }: Clause): number {
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

type Position = Omit<Clause['place'], 'file'>;

/** Moves the clauses behind one that stood at `before` and stands at `now`. */
function moveTail(before: Readonly<Position>, now: Readonly<Position>, tail: readonly ClauseEntry[]): void {
    const { offset, line, column } = before;
    const [down, right, forward] = [now.line - line, now.column - column, now.offset - offset];
    if (forward === 0 && down === 0 && right === 0) return;
    for (const { clause } of tail) {
        const { place } = clause;
        if (place.line === line) place.column += right;
        place.offset += forward;
        place.line += down;
    }
}

function entriesByText(entries: readonly ClauseEntry[], text: string): Map<string, ClauseEntry[]> {
    const known = new Map<string, ClauseEntry[]>();
    for (const entry of entries) {
        const { place } = entry.clause;
        const written = text.slice(place.offset, endOf(entry.clause));
        const same = known.get(written);
        if (same === undefined) known.set(written, [entry]);
        else same.push(entry);
    }
    return known;
}

/** The entry of a slice: one of the same text as it is or with other documentation, else one that is read anew. */
function reusedOrRead(slice: ClauseSlice, text: string, known: ReadonlyMap<string, ClauseEntry[]>): ClauseEntry {
    const { place, end, documentation, settled, last } = slice;
    const candidates = known.get(text.slice(place.offset, end));
    const same = candidates?.findIndex(({ clause }) => clause.documentation === documentation) ?? -1;
    const [entry] = candidates?.splice(Math.max(0, same), 1) ?? [];
    if (entry === undefined || entry.problems.length > 0) return entryOf(withOwnText(slice, text), text);
    const { offset, line, column } = place;
    Object.assign(entry.clause.place, { offset, line, column });
    return { clause: withDocumentation(entry.clause, documentation), problems: entry.problems, settled, last };
}

function entryOf(slice: ClauseSlice, text: string): ClauseEntry {
    const { clause, problems } = readClause(slice, text);
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
