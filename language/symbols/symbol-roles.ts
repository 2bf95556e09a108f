import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import type { SymbolMention } from './clause-symbols.ts';
import type { PredicateMention } from './mention.ts';

/** True when the mention makes its name a predicate's (1.1). */
export function isIntroducing(mention: SymbolMention): boolean {
    if (mention.kind !== 'predicate') return false;
    return isDefinition(mention) || (mention.role === 'annotation' && ANNOTATIONS.get(mention.annotation ?? '')?.introduces === true);
}

/** True for facts and heads, which give a predicate its rows. */
export function isDefinition(mention: PredicateMention): boolean {
    return mention.role === 'fact' || mention.role === 'head';
}

/** True for annotations that say what a predicate is or where it comes from. */
export function isDeclaration({ role, annotation = '' }: PredicateMention): boolean {
    const entry = role === 'annotation' ? ANNOTATIONS.get(annotation) : undefined;
    return entry !== undefined && !entry.aboutRows;
}
