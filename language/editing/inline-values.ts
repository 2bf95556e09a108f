import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { mentionsOfClause } from '#language/symbols/document-symbols.ts';

/** A variable whose value an editor shows at this place while the debugger has stopped. */
export interface ShownVariable {
    readonly name: string;
    readonly range: TextRange;
}

/** The variables of the rule at the offset where a debugger has stopped, each at its first place. */
export function inlineValues(document: OpenDocument, stoppedAt: number): readonly ShownVariable[] {
    const clause = document.clauseAt(stoppedAt);
    if (clause === undefined) return [];
    const { offset } = clause.place;
    const first = new Map<string, ShownVariable>();
    for (const { kind, span, ...mention } of mentionsOfClause(document, clause)) {
        if (kind !== 'variable' || !('name' in mention) || first.has(mention.name)) continue;
        first.set(mention.name, { name: mention.name, range: { start: offset + span.start, end: offset + span.end } });
    }
    return [...first.values()];
}
