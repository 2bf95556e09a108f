import type { OpenDocument } from '#language/document/open-document.ts';
import { printAtomText, printRuleText } from '#language/program/print.ts';

/** The fact or rule at an offset, as it prints without its annotations. */
export function clauseText(document: OpenDocument, offset: number): string | undefined {
    const clause = document.clauseAt(offset);
    switch (clause?.kind) {
        case 'fact':
            return printAtomText(clause.atom);
        case 'rule':
            return printRuleText(clause);
        case 'annotation':
        case 'broken':
        case undefined:
            return undefined;
    }
}
