import { TextDocument } from 'vscode-languageserver-textdocument';
import type { OpenDocument } from '#language/document/open-document.ts';
import { closedDocument } from '#language/editing/closed-document.ts';
import { inclusionOf, sameInclusion } from '#language/modules/include.ts';
import type { Program } from '#language/program/program.ts';
import type { OtherDocuments } from './documents.ts';
import type { ProgramFile } from './program-index.ts';
import { type Encoding, type TextPositions, textPositions } from './text-positions.ts';

/** A program on disk that the editor does not hold. */
export interface ClosedFile {
    readonly document: OpenDocument;
    readonly positions: TextPositions;
}

export function closedFile({ text, module }: ProgramFile, encoding: Encoding, others: OtherDocuments): ClosedFile {
    const { file, clauses } = module;
    let program: Program = { file, clauses };
    let seen = -1;
    const linked = (): Program => {
        if (seen === others.version()) return program;
        seen = others.version();
        const inclusion = inclusionOf(program, others.find);
        if (inclusion !== undefined && !sameInclusion(inclusion, program.inclusion)) program = { file, clauses, inclusion };
        return program;
    };
    let positions: TextPositions | undefined;
    return {
        document: closedDocument(text, linked),
        get positions() {
            positions ??= textPositions(TextDocument.create(file, 'rulelang', 0, text), encoding);
            return positions;
        },
    };
}
