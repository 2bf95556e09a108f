import { LSPErrorCodes, ResponseError, TextDocumentContentRefreshRequest, TextDocumentContentRequest } from 'vscode-languageserver/node';
import { atomAt } from '#language/editing/atom-at.ts';
import type { AnalysedProgram, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { ParamsOf } from '#server/protocol/methods.ts';
import type { Of } from '#server/protocol/shape.ts';
import { isShownAddress, SHOW, SHOWN_METHODS, SHOWN_SCHEME } from '#server/protocol/shown.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { answerMethods } from '../answer-methods.ts';
import { wrongParameters } from '../guard.ts';
import type { Feature, LanguageServer } from '../language-server.ts';
import { upToDate } from '../turns.ts';

type Asked = ParamsOf<typeof SHOWN_METHODS, 'rulelang/show'>;
type Address = Of<typeof isShownAddress>;
type Shown = { readonly uri: string; readonly text: string };

/** Milliseconds after the last change until the documents of the client are shown anew. */
const QUIET = 500;
/** Documents that are shown anew: those that the client asked for last. */
const MOST = 20;

/** Documents that show what the server makes of a program: their address says what, and they follow the program. */
export const shownDocuments: Feature = {
    capabilities: ({ client }) => (asksForContent(client) ? { workspace: { textDocumentContent: { schemes: [SHOWN_SCHEME] } } } : {}),
    register: server => {
        const { connection, documents, guard, client, sizes } = server;
        answerMethods(server, SHOWN_METHODS, { 'rulelang/show': asked => show(server, asked) });
        if (!asksForContent(client)) return;
        const shown = new Set<string>();
        let quiet: NodeJS.Timeout | undefined;
        const showAnew = (): void => {
            clearTimeout(quiet);
            if (shown.size === 0) return;
            quiet = setTimeout(() => {
                for (const uri of shown) void connection.sendRequest(TextDocumentContentRefreshRequest.type, { uri });
            }, QUIET);
        };
        documents.onChanged(showAnew);
        sizes.onChanged(showAnew);
        connection.onRequest(
            TextDocumentContentRequest.type,
            guard.request('workspace/textDocumentContent', async ({ uri }) => {
                const address = addressOf(uri);
                if (address === undefined) throw wrongParameters('workspace/textDocumentContent');
                shown.delete(uri);
                shown.add(uri);
                for (const oldest of shown) if (shown.size > MOST) shown.delete(oldest);
                return { text: (await textOf(server, address)) ?? `${say`The program does not have this any more`}\n` };
            }),
        );
    },
};

function asksForContent({ workspace }: LanguageServer['client']): boolean {
    return workspace?.textDocumentContent !== undefined;
}

/** Shows it in an editor that can ask for its text; the text is answered in any case. */
export async function showByCommand(server: LanguageServer, given: readonly unknown[] = []): Promise<Shown | null> {
    const [uri, part, where] = given;
    const asked = { uri, part, ...(typeof where === 'string' ? { predicate: where } : where !== undefined && { position: where }) };
    const { params, needs } = SHOWN_METHODS['rulelang/show'];
    if (!params(asked)) throw wrongParameters(SHOW, needs);
    const shown = await show(server, asked);
    if (shown === null) throw new ResponseError(LSPErrorCodes.RequestFailed, say`There is nothing to show here`);
    const { client, connection } = server;
    if (client.window?.showDocument?.support === true && asksForContent(client)) await connection.window.showDocument({ uri: shown.uri });
    return shown;
}

async function show(server: LanguageServer, { uri, part, position, predicate }: Asked): Promise<Shown | null> {
    const isOfPredicate = part === 'rules' || part === 'columns' || part === 'predicate';
    const document = await documentOf(server, uri);
    if (document === undefined) return null;
    const { analysed } = document.program;
    const named = predicate === undefined ? position && predicateAt(document, position) : predicateNamed(analysed, predicate)?.key;
    if (isOfPredicate && named === undefined) return null;
    const address: Address = { program: uri, part, ...(isOfPredicate && named !== undefined && { predicate: named }) };
    const text = await textOf(server, address);
    return text === undefined ? null : { uri: writtenAddress(address), text };
}

function predicateNamed({ predicates, predicatesNamed }: AnalysedProgram, name: string): Predicate | undefined {
    return [...predicates.values()].find(({ key }) => key === name) ?? predicatesNamed(name)[0];
}

function predicateAt(document: EditorDocument, position: NonNullable<Asked['position']>): PredicateKey | undefined {
    return atomAt(document.program, document.offsetAt(position))?.predicate.key;
}

async function textOf(server: LanguageServer, { program, part, predicate: key }: Address): Promise<string | undefined> {
    const document = await documentOf(server, program);
    if (document === undefined) return undefined;
    const predicate = key === undefined ? undefined : predicateNamed(document.program.analysed, key);
    if (key !== undefined && predicate === undefined) return undefined;
    if (part === 'predicate') {
        const { predicateText } = await import('../predicate-text.ts');
        return predicate && predicateText(server, document, predicate);
    }
    // The planner comes with it, which little else needs.
    const { shownText } = await import('../shown-text.ts');
    return shownText(part, document.program, predicate, document.tablesOf);
}

/** A document as it is now, open or not. */
async function documentOf({ documents, reading }: LanguageServer, uri: string): Promise<EditorDocument | undefined> {
    const open = documents.get(uri);
    if (open?.program.program.inclusion !== undefined || open === undefined) await reading.settled();
    const document = documents.get(uri) ?? documents.unopened(uri);
    if (document !== undefined) await upToDate(document, () => false);
    return document;
}

const ENDINGS = { plan: 'plan.txt', rules: 'rules.txt', graph: 'graph.mmd', columns: 'columns.txt', predicate: 'predicate.txt' } as const;

/** The path is what a tab is called. */
function writtenAddress(address: Address): string {
    const program = decodeURIComponent(address.program.slice(address.program.lastIndexOf('/') + 1)).replace(/\.rulelang$/u, '');
    const name = address.predicate?.replace(/\/(\d+)$/u, '($1)') ?? program;
    return `${SHOWN_SCHEME}:/${encodeURIComponent(`${name}.${ENDINGS[address.part]}`)}?${encodeURIComponent(JSON.stringify(address))}`;
}

function addressOf(uri: string): Address | undefined {
    try {
        const address: unknown = JSON.parse(decodeURIComponent(uri.slice(uri.indexOf('?') + 1)));
        return uri.startsWith(`${SHOWN_SCHEME}:`) && isShownAddress(address) ? address : undefined;
    } catch {
        return undefined;
    }
}
