import {
    type CancellationToken,
    CompletionItem,
    CompletionItemKind,
    DiagnosticSeverity,
    type Disposable,
    Hover,
    Location,
    languages,
    MarkdownString,
    Position,
    Range,
    type TextDocument,
    workspace,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { CONCEPT_SCHEME } from '#extension/host/concept-scheme.ts';
import { diagnosticOf } from '#extension/host/diagnostic.ts';
import { uriOfConcept } from './concept-files.ts';
import { readConceptUri } from './concept-uri.ts';
import type { Projects } from './projects.ts';
import { suppliedRelations } from './supply-concepts.ts';

/** Milliseconds without typing until problems are looked for. */
const PAUSE = 300;
const KINDS: Readonly<Record<string, CompletionItemKind>> = {
    predicate: CompletionItemKind.Struct,
    column: CompletionItemKind.Field,
    function: CompletionItemKind.Function,
    keyword: CompletionItemKind.Keyword,
};
const SEVERITIES = {
    error: DiagnosticSeverity.Error,
    warning: DiagnosticSeverity.Warning,
    information: DiagnosticSeverity.Information,
    hint: DiagnosticSeverity.Hint,
} as const;

/** Problems to report while a query is written; a save reports them once more. */
export const TYPED_CODES: ReadonlySet<string> = new Set(['RL7003', 'RL7006']);

const SELECTOR = { scheme: CONCEPT_SCHEME, language: 'sql' };

/** Completions, hovers, definitions and problems of concepts that are queries, over the other concepts of their project. */
export function followQueries(projects: Projects, server: Server, subscriptions: Disposable[]): void {
    const found = languages.createDiagnosticCollection('rulelang-queries');
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const look = async (document: TextDocument): Promise<void> => {
        const { version, uri } = document;
        // Where the services or the language server do not answer, nothing new is said.
        const query = await queryOf(projects, document).catch(() => undefined);
        const problems = query && (await server.ask('rulelang/queryProblems', query).catch(() => undefined));
        if (problems === undefined || document.isClosed || document.version !== version) return;
        found.set(
            uri,
            problems.map(({ code, severity, message, remedy, ...place }) => {
                const words = remedy === undefined ? message : `${message}; ${remedy}`;
                return diagnosticOf(rangeOf(document, place), words, SEVERITIES[severity], code);
            }),
        );
    };
    const forget = (document: TextDocument): void => {
        clearTimeout(timers.get(document.uri.toString()));
        timers.delete(document.uri.toString());
    };
    const lookSoon = (document: TextDocument): void => {
        if (languages.match(SELECTOR, document) === 0) return;
        forget(document);
        timers.set(
            document.uri.toString(),
            setTimeout(() => void look(document), PAUSE),
        );
    };
    subscriptions.push(
        found,
        workspace.onDidOpenTextDocument(lookSoon),
        workspace.onDidChangeTextDocument(({ document }) => lookSoon(document)),
        workspace.onDidCloseTextDocument(document => {
            forget(document);
            found.delete(document.uri);
        }),
        projects.changed(() => workspace.textDocuments.forEach(lookSoon)),
        { dispose: () => [...timers.values()].map(clearTimeout) },
        ...queryFeatures(projects, server),
    );
    workspace.textDocuments.forEach(lookSoon);
}

/** Completions, hovers and definitions of queries. */
function queryFeatures(projects: Projects, server: Server): Disposable[] {
    const hoverAt = async (document: TextDocument, position: Position, token: CancellationToken) => {
        const query = await queryOf(projects, document);
        return query && server.ask('rulelang/queryHover', { ...query, offset: document.offsetAt(position) }, token);
    };
    return [
        languages.registerCompletionItemProvider(
            SELECTOR,
            {
                async provideCompletionItems(document, position, token) {
                    const query = await queryOf(projects, document);
                    const answer =
                        query && (await server.ask('rulelang/queryCompletions', { ...query, offset: document.offsetAt(position) }, token));
                    const told = answer?.found;
                    if (told === undefined) return undefined;
                    const range = rangeOf(document, told);
                    return told.items.map(({ label, kind, insert, detail }, at) => {
                        const item = new CompletionItem(label, KINDS[kind] ?? CompletionItemKind.Text);
                        item.insertText = insert;
                        item.range = range;
                        item.sortText = String(at).padStart(4, '0');
                        if (detail !== undefined) item.detail = detail;
                        return item;
                    });
                },
            },
            '.',
        ),
        languages.registerHoverProvider(SELECTOR, {
            async provideHover(document, position, token) {
                const card = (await hoverAt(document, position, token))?.card;
                return card && new Hover(new MarkdownString(card.markdown), rangeOf(document, card));
            },
        }),
        languages.registerDefinitionProvider(SELECTOR, {
            async provideDefinition(document, position, token) {
                const table = (await hoverAt(document, position, token))?.table;
                const concept = readConceptUri(document.uri);
                const connection = projects.connection();
                if (table === undefined || concept === undefined || connection === undefined) return undefined;
                const meant = await projects.concept(concept.project, table);
                return meant && new Location(uriOfConcept(connection, meant), new Position(0, 0));
            },
        }),
    ];
}

/** Returns a query with its relations; undefined if its services are not the connected ones. */
async function queryOf(projects: Projects, document: TextDocument) {
    const concept = readConceptUri(document.uri);
    if (concept?.isSql !== true || concept.connection !== projects.connection()?.id) return undefined;
    return { text: document.getText(), relations: await suppliedRelations(projects, concept) };
}

function rangeOf(document: TextDocument, { start, end }: { readonly start: number; readonly end: number }): Range {
    return new Range(document.positionAt(start), document.positionAt(end));
}
