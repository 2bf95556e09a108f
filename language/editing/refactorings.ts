import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import type { Workspace } from '#language/symbols/workspace.ts';
import { addOutput } from './refactorings/add-output.ts';
import {
    addArgument,
    changeArguments,
    type ReorderablePredicate,
    refusedArgumentChange,
    reorderablePredicate,
    reorderedArguments,
} from './refactorings/change-arguments.ts';
import { convertAggregate } from './refactorings/convert-aggregate.ts';
import { countMatches, removeCount } from './refactorings/count-matches.ts';
import { extractParameter } from './refactorings/extract-parameter.ts';
import { extractPredicate } from './refactorings/extract-predicate.ts';
import { inlineParameter } from './refactorings/inline-parameter.ts';
import { inlinePredicate } from './refactorings/inline-predicate.ts';
import { mergeAlternatives } from './refactorings/merge-alternatives.ts';
import { mergeRules } from './refactorings/merge-rules.ts';
import { moveToModule } from './refactorings/move-to-module.ts';
import { nameAnonymous } from './refactorings/name-anonymous.ts';
import { nameArguments } from './refactorings/name-arguments.ts';
import { orderBody } from './refactorings/order-body.ts';
import { padAtom } from './refactorings/pad-atom.ts';
import { type Refactoring, type RefactoringFunction, type RefusedRefactoring, refactoringRequest } from './refactorings/refactoring.ts';
import { splitAlternatives } from './refactorings/split-alternatives.ts';
import { splitHeads } from './refactorings/split-heads.ts';
import { writeArrow } from './refactorings/write-arrow.ts';
import { writeSkolemTerm } from './refactorings/write-skolem-term.ts';

/** In the order in which they are offered. */
const REFACTORINGS: readonly RefactoringFunction[] = [
    extractPredicate,
    extractParameter,
    moveToModule,
    inlinePredicate,
    inlineParameter,
    splitHeads,
    mergeRules,
    mergeAlternatives,
    splitAlternatives,
    changeArguments,
    addArgument,
    nameArguments,
    nameAnonymous,
    writeSkolemTerm,
    padAtom,
    orderBody,
    convertAggregate,
    countMatches,
    removeCount,
    writeArrow,
    addOutput,
];

/**
 * Refactorings of the selected range that keep the meaning of the program. A change that would break something is not offered. The edits of
 * an offer are made on request.
 */
export function refactorings(workspace: Workspace, document: OpenDocument, range: TextRange): readonly Refactoring[] {
    const request = refactoringRequest(workspace, document, range);
    return request === undefined ? [] : REFACTORINGS.flatMap(refactoring => [...refactoring(request)]);
}

/** Refactorings that a user may expect at a range, but that would change the meaning of the program or of other files. */
export function refusedRefactorings(workspace: Workspace, document: OpenDocument, range: TextRange): readonly RefusedRefactoring[] {
    const request = refactoringRequest(workspace, document, range);
    const refused = request && refusedArgumentChange(request);
    return refused === undefined ? [] : [refused];
}

/** The predicate at an offset whose arguments can be put into any order, with a word for each of them. */
export function reorderableAt(workspace: Workspace, document: OpenDocument, offset: number): ReorderablePredicate | undefined {
    const request = refactoringRequest(workspace, document, { start: offset, end: offset });
    return request && reorderablePredicate(request);
}

/** Puts the arguments of the predicate at an offset into an order: for each column, the zero-based one that comes there. */
export function reorderAt(workspace: Workspace, document: OpenDocument, offset: number, order: readonly number[]): Refactoring | undefined {
    const request = refactoringRequest(workspace, document, { start: offset, end: offset });
    return request && reorderedArguments(request, order);
}
