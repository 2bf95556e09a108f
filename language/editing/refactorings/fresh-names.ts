import { functionNamed } from '#language/library/function-catalogue.ts';
import { isAggregateName } from '#language/symbols/clause-mentions.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import { programsWith } from '#language/symbols/workspace.ts';
import type { RefactoringRequest } from './refactoring.ts';

type Place = Pick<RefactoringRequest, 'workspace' | 'document'>;

/** A name, as wished where it is free, that no program with this document has for a predicate or a function yet. */
export function freshPredicate({ workspace, document }: Place, wished: string): string {
    const documents = programsWith(workspace, document);
    return numbered(wished, name => isFunction(document, name) || documents.some(other => symbolsOf(other).mentions(name)));
}

function isFunction({ analysed }: Place['document'], name: string): boolean {
    return isAggregateName(name) || functionNamed(name, analysed.libraryPrefixes) !== undefined;
}

/** The same for a parameter. */
export function freshParameter({ workspace, document }: Place, wished: string): string {
    const documents = programsWith(workspace, document);
    return numbered(wished, name => documents.some(other => symbolsOf(other).parameter(name).length > 0));
}

/** The name as wished, or with the first number that makes it free. */
export function numbered(wished: string, isTaken: (name: string) => boolean): string {
    let name = wished;
    for (let number = 2; isTaken(name); number++) name = `${wished}_${number}`;
    return name;
}
