import { commonEnds } from '#language/analysis/common-ends.ts';
import { atomsOf } from '#language/analysis/name-entry.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import type { Clause } from '#language/program/program.ts';
import { clauseMentions } from './clause-mentions.ts';
import { clauseSymbols, type SymbolMention } from './clause-symbols.ts';
import type { Mention } from './mention.ts';
import { type MutableSymbolIndex, type SymbolIndex, symbolIndex } from './symbol-index.ts';

const SYMBOLS = new WeakMap<Clause, readonly SymbolMention[]>();
const MENTIONS = new WeakMap<Clause, readonly Mention[]>();
const INDEXES = new WeakMap<OpenDocument, MutableSymbolIndex>();

/** The index of a document, built at the first question and kept as long as the document; see `carrySymbols`. */
export function symbolsOf(document: OpenDocument): SymbolIndex {
    const known = INDEXES.get(document);
    if (known !== undefined) return known;
    const index = symbolIndex();
    for (const clause of document.program.clauses) index.add(clause, symbolsOfClause(document, clause));
    INDEXES.set(document, index);
    return index;
}

/**
 * Hands the index of one version of a document on to the next version: only the clauses that came and went are looked at.
 * The earlier version has no index then; asked again, it would have to build another.
 */
export function carrySymbols(from: OpenDocument, to: OpenDocument): void {
    const index = INDEXES.get(from);
    if (index === undefined || from === to) return;
    const before = from.program.clauses;
    const after = to.program.clauses;
    const { start, tail } = commonEnds(before, after);
    for (const clause of before.slice(start, before.length - tail)) index.remove(clause, SYMBOLS.get(clause) ?? []);
    for (const clause of after.slice(start, after.length - tail)) index.add(clause, symbolsOfClause(to, clause));
    INDEXES.delete(from);
    INDEXES.set(to, index);
}

/** A clause of the document, or of a module that it includes, makes the name a predicate's. */
export function introduces(document: OpenDocument, name: string): boolean {
    if (symbolsOf(document).introduces(name)) return true;
    const modules = document.program.inclusion?.modules ?? [];
    return modules.some(module => introducedNames(module.clauses).has(name));
}

const INTRODUCED = new WeakMap<readonly Clause[], ReadonlySet<string>>();

function introducedNames(clauses: readonly Clause[]): ReadonlySet<string> {
    let names = INTRODUCED.get(clauses);
    if (names === undefined) {
        names = new Set(clauses.flatMap(introducedBy));
        INTRODUCED.set(clauses, names);
    }
    return names;
}

/** The names that heads, facts and annotations of a clause introduce. */
function introducedBy(clause: Clause): string[] {
    const named = clause.annotations.flatMap(({ name, arguments: [argument] }) =>
        argument?.kind === 'string' && ANNOTATIONS.get(name)?.introduces ? [argument.value] : [],
    );
    return [...named, ...atomsOf(clause).map(({ predicate }) => predicate)];
}

/** The shared names of one clause; kept as long as the clause. */
export function symbolsOfClause(document: OpenDocument, clause: Clause): readonly SymbolMention[] {
    let symbols = SYMBOLS.get(clause);
    if (symbols === undefined) {
        symbols = clauseSymbols(clause, clauseText(document, clause));
        SYMBOLS.set(clause, symbols);
    }
    return symbols;
}

/** Everything that one clause mentions; kept as long as the clause. */
export function mentionsOfClause(document: OpenDocument, clause: Clause): readonly Mention[] {
    let mentions = MENTIONS.get(clause);
    if (mentions === undefined) {
        mentions = clauseMentions(clauseText(document, clause));
        MENTIONS.set(clause, mentions);
    }
    return mentions;
}

/** The text of a clause, its final dot included. */
export function clauseText({ text }: OpenDocument, { place, span }: Clause): string {
    return text.slice(place.offset + span.start, place.offset + span.end);
}
