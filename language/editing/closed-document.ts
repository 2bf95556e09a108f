import { analyse } from '#language/analysis/analyse.ts';
import { clauseHolding, type OpenDocument } from '#language/document/open-document.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Program } from '#language/program/program.ts';

/**
 * A document that no editor has open. The first access to `analysed` analyses it; `program` gives its clauses with the current targets of
 * its includes. No problems are listed for it.
 */
export function closedDocument(text: string, program: () => Program): OpenDocument {
    let analysed: AnalysedProgram | undefined;
    const { file, clauses } = program();
    return {
        file,
        text,
        problems: [],
        get program() {
            return program();
        },
        get analysed() {
            if (analysed?.program !== program()) analysed = analyse(program());
            return analysed;
        },
        clauseAt: offset => clauseHolding(clauses, offset),
    };
}
