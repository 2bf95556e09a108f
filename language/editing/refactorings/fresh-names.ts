import { functionNamed } from '#language/library/function-catalogue.ts';
import { isAggregateName } from '#language/program/aggregates.ts';
import { numberedName } from '#language/program/numbered-name.ts';
import { introduces, symbolsOf } from '#language/symbols/document-symbols.ts';
import { programsWith } from '#language/symbols/workspace.ts';
import type { RefactoringRequest } from './refactoring.ts';

type Place = Pick<RefactoringRequest, 'workspace' | 'document'>;

/** A name, as wished where it is free, that no program with this document has for a predicate or a function yet. */
export function freshPredicate({ workspace, document }: Place, wished: string): string {
    const documents = programsWith(workspace, document);
    return numberedName(
        wished,
        name => isFunction(document, name) || documents.some(other => symbolsOf(other).mentions(name)) || introduces(document, name),
    );
}

function isFunction({ analysed }: Place['document'], name: string): boolean {
    return isAggregateName(name) || functionNamed(name, analysed.libraryPrefixes) !== undefined;
}

/** The same for a parameter. */
export function freshParameter({ workspace, document }: Place, wished: string): string {
    const documents = programsWith(workspace, document);
    return numberedName(wished, name => documents.some(other => symbolsOf(other).parameter(name).length > 0));
}
