import type { OpenDocument } from '#language/editing/open-document.ts';
import type { Clause } from '#language/program/program.ts';
import { clauseMentions } from './clause-mentions.ts';
import { clauseSymbols, type SymbolMention } from './clause-symbols.ts';
import type { Mention } from './mention.ts';
import { type SymbolIndex, symbolIndex } from './symbol-index.ts';

const SYMBOLS = new WeakMap<Clause, readonly SymbolMention[]>();
const MENTIONS = new WeakMap<Clause, readonly Mention[]>();
const INDEXES = new WeakMap<OpenDocument, SymbolIndex>();

/** The index that the document brings along, or one that is built at the first question and kept as long as the document. */
export function symbolsOf(document: OpenDocument): SymbolIndex {
    const known = document.symbols ?? INDEXES.get(document);
    if (known !== undefined) return known;
    const index = symbolIndex();
    for (const clause of document.analysed.program.clauses) index.add(clause, symbolsOfClause(document, clause));
    INDEXES.set(document, index);
    return index;
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
