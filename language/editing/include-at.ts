import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { includeTarget } from '#language/program/inclusion.ts';
import type { Clause } from '#language/program/program.ts';

/** An `@include`, and the file that it stands for. */
export interface FoundInclude {
    /** The name between its quotes. */
    readonly range: TextRange;
    readonly file: string;
}

/** The include whose name holds the offset, where it finds a file. */
export function includeAt(document: OpenDocument, offset: number): FoundInclude | undefined {
    const clause = document.clauseAt(offset);
    return clause && includesOf(document, clause).find(({ range }) => range.start <= offset && offset <= range.end);
}

/** All of them, in text order. */
export function includes(document: OpenDocument): readonly FoundInclude[] {
    return document.program.clauses.flatMap(clause => (clause.annotations.length === 0 ? [] : includesOf(document, clause)));
}

function includesOf({ program, file }: OpenDocument, { annotations, place }: Clause): FoundInclude[] {
    return annotations.flatMap(({ name, arguments: [argument] }) => {
        const text = name === 'include' ? textOf(argument) : undefined;
        const target = text === undefined ? undefined : includeTarget(program, text, file);
        if (argument?.kind !== 'string' || target?.kind !== 'module') return [];
        const { start, end } = argument.span;
        return [{ range: { start: place.offset + start + 1, end: place.offset + end - 1 }, file: target.module.file }];
    });
}
