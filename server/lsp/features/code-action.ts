import { type CodeAction, type CodeActionContext, CodeActionKind, CodeActionTriggerKind, type Range } from 'vscode-languageserver/node';
import { openDocument, rangeOf } from '#language/document/open-document.ts';
import { differenceOf } from '#language/document/text-change.ts';
import { clauseText } from '#language/editing/clause-text.ts';
import { fixAll, hasSafeFixes } from '#language/editing/fix-all.ts';
import type { TextEdit } from '#language/editing/format-edits.ts';
import { joinFixes } from '#language/editing/join-fixes.ts';
import { ignores, quickFixes } from '#language/editing/quick-fixes.ts';
import { say } from '#language/program/say.ts';
import { EXPLAIN_PROBLEM } from '#server/protocol/problems.ts';
import { isBefore } from '#server/protocol/runs.ts';
import { WHAT_IF_OTHERWISE, WHAT_IF_WITHOUT } from '#server/protocol/what-if.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { aboutDocument } from '../answer.ts';
import { textEdits } from '../edits.ts';
import type { Feature, LanguageServer } from '../language-server.ts';
import { diagnosticOf } from '../problem-diagnostics.ts';
import { problemPages } from '../problem-pages.ts';
import { asksLater, REFACTORING_KINDS, refactoringActions, resolvedAction } from '../refactoring-actions.ts';

/** A kind of its own for actions without edits, apart from the others. */
const WHAT_IF = 'rulelang.whatIf';
const FIX_ALL = `${CodeActionKind.SourceFixAll}.rulelang`;

/** Quick fixes, all safe ones at once, and refactorings, for clients that understand actions with edits. */
export const codeAction: Feature = {
    capabilities: server => {
        if (server.client.textDocument?.codeAction?.codeActionLiteralSupport === undefined) return {};
        const codeActionKinds = [CodeActionKind.QuickFix, FIX_ALL, WHAT_IF, ...Object.values(REFACTORING_KINDS)];
        return { codeActionProvider: { codeActionKinds, ...(asksLater(server) && { resolveProvider: true }) } };
    },
    register: server => {
        const { connection, guard } = server;
        connection.onCodeActionResolve(
            guard.request('codeAction/resolve', async (action: CodeAction) => {
                await server.reading.named();
                return resolvedAction(server, action);
            }),
        );
        connection.onCodeAction(
            aboutDocument(server, 'textDocument/codeAction', (document, { range, context }): CodeAction[] => {
                const { only } = context;
                const isAsked = (kind: string): boolean =>
                    only?.some(wanted => `${kind}.`.startsWith(`${wanted}.`) || wanted === '') ?? false;
                const start = document.offsetAt(range.start);
                const end = document.offsetAt(range.end);
                return [
                    ...(only === undefined || isAsked(CodeActionKind.QuickFix)
                        ? [...fixesBetween(start, end, document, server), ...foundByRuns(range, document, server)]
                        : []),
                    ...(isAsked(FIX_ALL) ? allFixes(document, server) : []),
                    ...(isUnasked(range, context) || (only !== undefined && !isAsked(WHAT_IF))
                        ? []
                        : whatIfActions(start, document, server)),
                    ...(isUnasked(range, context) ? [] : refactoringActions(server, document, { start, end })).filter(
                        ({ kind = '' }) => only === undefined || isAsked(kind),
                    ),
                ];
            }),
        );
    },
};

/** Actions that ask for the rows without the fact or rule at an offset, or with another one. */
function whatIfActions(offset: number, document: EditorDocument, { options, trust }: LanguageServer): CodeAction[] {
    const clause = options.lenses === true && trust.granted ? clauseText(document.program, offset) : undefined;
    if (clause === undefined) return [];
    const action = (title: string, command: string): CodeAction => ({
        title,
        kind: WHAT_IF,
        command: { title, command, arguments: [document.uri, clause] },
    });
    return [action(say`What if without this…`, WHAT_IF_WITHOUT), action(say`What if it were…`, WHAT_IF_OTHERWISE)];
}

/** True if only the cursor moved: hardly any place is without a refactoring, and constant offers would disturb. */
function isUnasked({ start, end }: Range, { triggerKind }: CodeActionContext): boolean {
    return triggerKind === CodeActionTriggerKind.Automatic && start.line === end.line && start.character === end.character;
}

/** Problems in one range, the first of them, that a menu has actions for. */
const MOST_MENDED = 50;

function fixesBetween(start: number, end: number, document: EditorDocument, server: LanguageServer): CodeAction[] {
    const { documents, reporting, options } = server;
    const page = problemPages(server);
    const touched = reporting
        .problemsOf(document.program)
        .filter(problem => {
            const place = rangeOf(problem);
            return place.start <= end && place.end >= start;
        })
        .slice(0, MOST_MENDED);
    const actions = touched.map(problem => {
        const diagnostics = [diagnosticOf(problem, document, documents, page)];
        const action = ({ title, edits, preferred }: ReturnType<typeof quickFixes>[number]): CodeAction => ({
            ...changing(document, title, CodeActionKind.QuickFix, edits),
            diagnostics,
            isPreferred: preferred,
        });
        return { fixes: quickFixes(document.program, problem).map(action), ignores: ignores(document.program, problem).map(action) };
    });
    return [
        ...merged(actions.flatMap(({ fixes }) => fixes)),
        ...merged(actions.flatMap(action => action.ignores)),
        ...explaining(options.lenses === true ? touched.map(({ code }) => code) : []),
    ];
}

/** Actions for what runs have found: joins for an atom that multiplies, and what the code means. */
function foundByRuns(range: Range, document: EditorDocument, { problems, options }: LanguageServer): CodeAction[] {
    const touched = problems
        .of(document.uri)
        .filter(({ range: { start, end } }) => !isBefore(range.end, start) && !isBefore(end, range.start));
    const joins = touched
        .filter(({ code }) => code === 'RT100')
        .flatMap(diagnostic =>
            joinFixes(document.program, document.offsetAt(diagnostic.range.start)).map(({ title, edits }) => ({
                ...changing(document, title, CodeActionKind.QuickFix, edits),
                diagnostics: [diagnostic],
            })),
        );
    const codes = options.lenses === true ? touched.flatMap(({ code }) => (typeof code === 'string' ? [code] : [])) : [];
    return [...joins, ...explaining(codes)];
}

function explaining(codes: readonly string[]): CodeAction[] {
    return [...new Set(codes)].map(code => ({
        title: say`Explain ${code}`,
        kind: CodeActionKind.QuickFix,
        command: { title: say`Explain ${code}`, command: EXPLAIN_PROBLEM, arguments: [code] },
    }));
}

/** One action for problems that the same change mends. */
function merged(actions: readonly CodeAction[]): CodeAction[] {
    const known = new Map<string, CodeAction>();
    for (const action of actions) {
        const key = JSON.stringify([action.title, action.edit]);
        const same = known.get(key);
        const diagnostics = [...(same?.diagnostics ?? []), ...(action.diagnostics ?? [])];
        known.set(key, { ...action, diagnostics, isPreferred: action.isPreferred === true || same?.isPreferred === true });
    }
    return [...known.values()];
}

/** The whole text is analysed anew for it, so it is only made where a client asks for nothing else, as when a file is saved. */
function allFixes(document: EditorDocument, { documents, reporting }: LanguageServer): CodeAction[] {
    if (!hasSafeFixes(reporting.problemsOf(document.program))) return [];
    const open = (text: string): ReturnType<typeof openDocument> => openDocument(text, document.uri, {}, documents.find);
    const { text, edits } = fixAll(open(document.text), reporting.severitiesOf(document.program), open);
    const [first, ...more] = edits;
    const difference = differenceOf(document.text, text);
    if (first === undefined || difference === undefined) return [];
    return [changing(document, say`Fix everything that is safe to fix`, FIX_ALL, more.length === 0 ? first : [difference])];
}

function changing(document: EditorDocument, title: string, kind: string, edits: readonly TextEdit[]): CodeAction {
    return { title, kind, edit: { changes: { [document.uri]: textEdits(document, edits) } } };
}
