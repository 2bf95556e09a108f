import type { Clause } from '#language/program/program.ts';
import { clauseMentions } from './clause-mentions.ts';
import type { Mention, MentionOf } from './mention.ts';

/** A contribution of a clause to the index of its document: a name that other clauses may share. */
export type SymbolMention = MentionOf<'predicate'> | MentionOf<'parameter'> | MentionOf<'call'>;

/** The shared names of a clause, in text order. A function of its text alone, so that an unchanged clause keeps its answer. */
export function clauseSymbols(clause: Clause, text: string): readonly SymbolMention[] {
    if (clause.kind === 'fact' && clause.annotations.length === 0 && !text.includes('{') && !text.includes('?')) {
        const { predicate, nameSpan, arguments: terms } = clause.atom;
        if (!text.includes('struct')) return [{ kind: 'predicate', name: predicate, span: nameSpan, role: 'fact', terms: terms.length }];
    }
    return clauseMentions(text).filter(isSymbol);
}

function isSymbol(mention: Mention): mention is SymbolMention {
    return mention.kind === 'predicate' || mention.kind === 'parameter' || mention.kind === 'call';
}
