import type { CodeLensParams, Range } from 'vscode-languageserver/node';
import { type CodeLens, codeLenses } from '#language/editing/code-lenses.ts';
import { say } from '#language/program/say.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';
import { rowsText } from '../run-sizes.ts';
import { hasPage, OPEN_PAGE, opensPage } from './open-page.ts';

const COMMANDS: Record<CodeLens['action'], { readonly title: () => string; readonly command: string }> = {
    run: { title: () => say`Run`, command: 'rulelang.runPredicate' },
    explain: { title: () => say`Explain`, command: 'rulelang.explainPredicate' },
};

/** A client may ask for the lenses of a part of a text, which the protocol has no word for. */
interface LensParams extends CodeLensParams {
    readonly range?: Range;
}

const TOP = { line: 0, character: 0 };

/** Lenses of predicates for clients that say they have their commands; for others one that opens the page of the services while they run. */
export const codeLens: Feature = {
    capabilities: server => (server.options.lenses === true || opensPage(server) ? { codeLensProvider: {} } : {}),
    register: server => {
        const ofPredicates = (document: EditorDocument, { range: part }: LensParams) =>
            server.large
                .most(document.uri, 'lenses', within(document, part, codeLenses(document.program)))
                .flatMap(({ range, action, predicate, key }) => {
                    const { title, command } = COMMANDS[action];
                    const place = document.rangeOf(range);
                    const lens = { range: place, command: { title: title(), command, arguments: [document.uri, predicate] } };
                    const rows = action === 'explain' && server.sizes.inline ? rowsText(server.sizes.of(document.uri), key) : undefined;
                    if (rows === undefined) return [lens];
                    return [lens, { range: place, command: { title: rows, command: 'rulelang.showRows', arguments: [document.uri, key] } }];
                });
        const ofPage = () =>
            server.trust.granted && hasPage()
                ? [{ range: { start: TOP, end: TOP }, command: { title: say`Open platform page`, command: OPEN_PAGE } }]
                : [];
        return server.connection.onCodeLens(
            aboutDocument(server, 'textDocument/codeLens', server.options.lenses === true ? ofPredicates : ofPage),
        );
    },
};

function within(document: EditorDocument, part: Range | undefined, lenses: readonly CodeLens[]): readonly CodeLens[] {
    if (part === undefined) return lenses;
    const [start, end] = [document.offsetAt(part.start), document.offsetAt(part.end)];
    return lenses.filter(({ range }) => range.start >= start && range.start <= end);
}
