import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import type { AnalysedProgram, AnalysedRule } from '#language/program/analysed-program.ts';
import type { Clause } from '#language/program/program.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { programsWith, type Workspace } from '#language/symbols/workspace.ts';
import type { Token } from '#language/syntax/token.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { TextEdit } from '../format-edits.ts';
import { type NodeAt, nodeAt } from '../node-at.ts';
import { type ClauseEdit, inDocument } from '../quick-fixes/fix.ts';
import { ruleOf } from './rule-parts.ts';

/** A change that keeps what a program means. */
export interface Refactoring {
    readonly kind: 'extract' | 'inline' | 'rewrite';
    /** Distinct among those offered at one place. */
    readonly title: string;
    /** By file; the edits of a file do not overlap. Made when they are asked for: there may be one for each fact of a program. */
    edits(): ReadonlyMap<string, readonly TextEdit[]>;
    /** A file that comes into being; no file has its name. */
    readonly created?: { readonly file: string; readonly text: string };
    /** A made-up name that the user will want to change. */
    readonly madeUp?: string;
}

/** A change that a user may expect and that cannot be made here, with the reason in a sentence. */
export interface RefusedRefactoring extends Pick<Refactoring, 'kind' | 'title'> {
    readonly reason: string;
}

/** The selection, or the cursor, with the clause at its start. */
export interface RefactoringRequest {
    readonly workspace: Workspace;
    readonly document: OpenDocument;
    readonly range: TextRange;
    /** The same range, relative to the clause. */
    readonly selection: TextRange;
    readonly clause: Clause;
    /** The text of the clause. */
    readonly text: string;
    readonly tokens: readonly Token[];
    /** Analyses of the programs that contain the document. */
    readonly programs: readonly AnalysedProgram[];
    /** The analysed rule, if the clause is one. */
    readonly rule?: AnalysedRule;
}

export type RefactoringFunction = (request: RefactoringRequest) => Iterable<Refactoring>;

/** Nothing for a place that is in no clause, or in one that cannot be read. */
export function refactoringRequest(workspace: Workspace, document: OpenDocument, range: TextRange): RefactoringRequest | undefined {
    const clause = document.clauseAt(range.start);
    if (clause === undefined || clause.kind === 'broken') return undefined;
    const text = clauseText(document, clause);
    const { offset } = clause.place;
    let programs: readonly AnalysedProgram[] | undefined;
    const rule = clause.kind === 'rule' ? ruleOf(document.analysed, clause) : undefined;
    return {
        workspace,
        document,
        range,
        selection: { start: range.start - offset, end: range.end - offset },
        clause,
        text,
        tokens: tokenize(text),
        get programs() {
            programs ??= programsWith(workspace, document).map(({ analysed }) => analysed);
            return programs;
        },
        ...(rule !== undefined && { rule }),
    };
}

/** Finds the named thing in the clause of the request that holds all of the selection. */
export function selectedNode({ document, range, clause }: RefactoringRequest): NodeAt | undefined {
    const node = nodeAt(document, range.start);
    return node?.clause === clause && range.end <= Math.max(node.range.end, range.start) ? node : undefined;
}

type Described = Pick<Refactoring, 'kind' | 'title' | 'madeUp'>;

/** A refactoring that changes nothing but the clause of the request; offsets are relative to it. */
export function inClause({ document, clause }: RefactoringRequest, described: Described, ...edits: readonly ClauseEdit[]): Refactoring {
    return inFile(
        document,
        described,
        edits.map(edit => inDocument(clause, edit)),
    );
}

/** A refactoring that changes nothing but one document. */
export function inFile({ file }: OpenDocument, described: Described, edits: readonly TextEdit[]): Refactoring {
    return { ...described, edits: () => new Map([[file, edits]]) };
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
    return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The offset, relative to the clause, behind it and a comment that stands behind it on its line. */
export function behindClause({ document, clause, text }: Pick<RefactoringRequest, 'document' | 'clause' | 'text'>): number {
    const end = clause.place.offset + clause.span.end;
    return text.length + (/^[ \t]*%[^\r\n]*/.exec(document.text.slice(end, end + 500))?.[0].length ?? 0);
}
