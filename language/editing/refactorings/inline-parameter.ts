import type { OpenDocument } from '#language/document/open-document.ts';
import { say } from '#language/program/say.ts';
import { clauseText, symbolsOf } from '#language/symbols/document-symbols.ts';
import type { PlacedSymbol } from '#language/symbols/symbol-index.ts';
import { documentsSharing } from '#language/symbols/workspace.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { TextEdit } from '../format-edits.ts';
import { annotationRemoval, inDocument, replacement } from '../quick-fixes/fix.ts';
import { inFile, type Refactoring, type RefactoringRequest, selectedNode } from './refactoring.ts';

/** The default of a parameter stands where the parameter stood; runs cannot set it any more. */
export function* inlineParameter(request: RefactoringRequest): Iterable<Refactoring> {
    const { document, workspace } = request;
    const node = selectedNode(request);
    if (node?.mention.kind !== 'parameter') return;
    const { name } = node.mention;
    const sharing = documentsSharing(workspace, document, other => symbolsOf(other).parameter(name).length > 0);
    const places = symbolsOf(document).parameter(name);
    const [declaration, ...others] = places.filter(({ mention }) => mention.kind === 'parameter' && mention.role === 'declaration');
    if (sharing.length > 1 || declaration === undefined || others.length > 0 || places.length < 2) return;
    const { clause, mention } = declaration;
    const annotation = clause.annotations.find(({ span }) => span.start <= mention.span.start && mention.span.end <= span.end);
    const value = annotation?.arguments[1];
    if (annotation === undefined || value === undefined || value.kind === 'name') return;
    const written = clauseText(document, clause).slice(value.span.start, value.span.end);
    if (written.includes('${') || written.includes('?')) return;
    const edits: TextEdit[] = [annotationRemoval(document, clause, annotation)];
    for (const place of places) {
        if (place === declaration) continue;
        const edit = useEdit(document, place, written);
        if (edit === undefined) return;
        edits.push(edit);
    }
    yield inFile(document, { kind: 'inline', title: say`Inline parameter '${name}'` }, edits);
}

/** Nothing for a use inside a text, where the value counts as text. A minus stands directly behind a mark or in parentheses. */
function useEdit(document: OpenDocument, { clause, mention }: PlacedSymbol, value: string): TextEdit | undefined {
    const tokens = tokenize(clauseText(document, clause));
    const index = tokens.findIndex(({ kind, start, end }) => kind === 'parameter' && start < mention.span.start && mention.span.end <= end);
    const token = tokens[index];
    if (token === undefined) return undefined;
    const closed = !value.startsWith('-') || tokens[index - 1]?.kind === 'mark';
    return inDocument(clause, replacement(token, closed ? value : `(${value})`));
}
