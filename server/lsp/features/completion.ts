import { dirname } from 'node:path';
import {
    type CompletionItem,
    CompletionItemKind,
    CompletionItemTag,
    type CompletionParams,
    InsertTextFormat,
    MarkupKind,
} from 'vscode-languageserver/node';
import type { OpenDocument } from '#language/document/open-document.ts';
import type { Completion, CompletionKind, Insertion } from '#language/editing/completion.ts';
import { completionContext } from '#language/editing/completion-context.ts';
import type { CompletionOptions, TextsOf } from '#language/editing/completion-options.ts';
import { completions } from '#language/editing/completions.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { errorTitles } from '#server/problem-help/problem-help.ts';
import { filePath } from '#server/workspace/folders.ts';
import { listFiles } from '#server/workspace/list-files.ts';
import { aboutPlace } from '../answer.ts';
import { atOnce } from '../at-once.ts';
import type { Feature, LanguageServer } from '../language-server.ts';

const MOST = 200;
const TRIGGERS = ['@', '#', '"', '/', '$', '{', '?', ':', ',', '=', '(', ' '];

const KINDS: Record<CompletionKind, CompletionItemKind> = {
    predicate: CompletionItemKind.Class,
    variable: CompletionItemKind.Variable,
    function: CompletionItemKind.Function,
    aggregate: CompletionItemKind.Function,
    'relation-function': CompletionItemKind.Function,
    annotation: CompletionItemKind.Keyword,
    keyword: CompletionItemKind.Keyword,
    parameter: CompletionItemKind.Constant,
    source: CompletionItemKind.Module,
    option: CompletionItemKind.Property,
    value: CompletionItemKind.Value,
    directive: CompletionItemKind.Keyword,
    type: CompletionItemKind.TypeParameter,
    column: CompletionItemKind.Field,
    table: CompletionItemKind.Struct,
    file: CompletionItemKind.File,
    folder: CompletionItemKind.Folder,
    library: CompletionItemKind.Module,
    module: CompletionItemKind.Module,
};

export const completion: Feature = {
    capabilities: () => ({ completionProvider: { triggerCharacters: TRIGGERS } }),
    register: server => {
        const hasSnippets = server.client.textDocument?.completion?.completionItem?.snippetSupport === true;
        const completedWith = (textsOf: TextsOfRun) =>
            aboutPlace(server, 'textDocument/completion', (document, offset, { context }: CompletionParams) => {
                if (context?.triggerCharacter === ' ' && !isInSourceText(document.program, offset)) return undefined;
                document.freshenSources();
                const found = completions(document.program, offset, {
                    limit: MOST,
                    modules: () => server.documents.index.names(),
                    tablesOf: document.tablesOf,
                    textsOf: (...asked) => textsOf(document.uri, ...asked),
                    errors: errorTitles,
                    ...listing(document.uri, server),
                });
                if (found === undefined) return undefined;
                const range = document.rangeOf(found.range);
                const items = found.items.map((item, at): CompletionItem => {
                    const newText = hasSnippets ? snippetOf(item.insert) : item.insert.text;
                    return { ...itemOf(item, at, server), textEdit: { range, newText }, ...(isSnippet(item, hasSnippets) ? SNIPPET : {}) };
                });
                return { isIncomplete: found.incomplete, items };
            });
        server.connection.onCompletion(async (params, token) => {
            const asked = new AskedTexts(server.sizes);
            const completed = completedWith(asked.textsOf);
            const first = await completed(params, token);
            return (await asked.answered()) ? completed(params, token) : first;
        });
    },
};

type TextsOfRun = (program: string, ...asked: Parameters<TextsOf>) => ReturnType<TextsOf>;

/** The texts that one completion asks the last run for. */
class AskedTexts {
    readonly #sizes: LanguageServer['sizes'];
    #asking: Promise<readonly string[]> | undefined;
    #texts: readonly string[] | undefined;

    constructor(sizes: LanguageServer['sizes']) {
        this.#sizes = sizes;
    }

    readonly textsOf: TextsOfRun = (program, ...asked) => {
        const run = this.#sizes.of(program);
        if (run === undefined) return [];
        this.#asking ??= run.texts(...asked);
        return this.#texts;
    };

    /** True if the run was asked and has answered. */
    async answered(): Promise<boolean> {
        this.#texts = this.#asking && (await atOnce(this.#asking));
        return this.#texts !== undefined;
    }
}

/** A blank is typed everywhere; only behind the type of a source does it begin something. */
function isInSourceText(document: OpenDocument, offset: number): boolean {
    const place = completionContext(document, offset)?.place;
    return place?.kind === 'text' && ANNOTATIONS.get(place.annotation)?.parameters[place.index]?.name === 'source';
}

/** Files beside the program, for paths that are being typed. */
function listing(uri: string, { trust, folders }: LanguageServer): Pick<CompletionOptions, 'listFiles'> {
    const own = filePath(uri);
    if (own === undefined || !trust.granted) return {};
    return { listFiles: prefix => listFiles(dirname(own), prefix, folders.roots()) };
}

const SNIPPET = { insertTextFormat: InsertTextFormat.Snippet } as const;

function isSnippet({ insert }: Completion, hasSnippets: boolean): boolean {
    return hasSnippets && snippetOf(insert) !== insert.text;
}

function itemOf(
    { label, kind, detail, documentation, deprecated, continues }: Completion,
    at: number,
    { options, client }: LanguageServer,
): CompletionItem {
    const hasTags = client.textDocument?.completion?.completionItem?.tagSupport !== undefined;
    return {
        label,
        kind: KINDS[kind],
        sortText: String(at).padStart(4, '0'),
        ...(detail === undefined ? {} : { detail }),
        ...(documentation === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
        ...(deprecated && (hasTags ? { tags: [CompletionItemTag.Deprecated] } : { deprecated })),
        ...(continues && options.lenses ? { command: { title: 'Suggest', command: 'editor.action.triggerSuggest' } } : {}),
    };
}

/** `name(${1:A}, ${2:B})$0`; what has no placeholders and nothing to escape stays as it is. */
function snippetOf({ text, placeholders }: Insertion): string {
    const escaped = (part: string): string => part.replace(/[\\$}]/g, character => `\\${character}`);
    if (placeholders.length === 0) return escaped(text);
    let snippet = '';
    let before = 0;
    for (const [index, { start, end }] of placeholders.entries()) {
        snippet += `${escaped(text.slice(before, start))}\${${index + 1}:${escaped(text.slice(start, end))}}`;
        before = end;
    }
    return `${snippet}${escaped(text.slice(before))}$0`;
}
