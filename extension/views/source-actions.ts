import { basename, extname } from 'node:path/posix';
import { l10n, SnippetString, window } from 'vscode';
import { newProgramPlace, openNewProgram } from '#extension/commands/new-program.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import type { Scope } from '#extension/projects/projects.ts';
import type { Database, Source } from '#extension/sources/source.ts';
import { isFileType } from '#extension/sources/source-kinds.ts';
import { byPlace, type PlaceOfSources } from '#extension/sources/source-place.ts';
import { sourcesOf } from './chosen-sources.ts';
import type { DataNode, DataTree } from './data-tree.ts';
import type { ReachedServers } from './reached-servers.ts';
import { clausesFor, placeOfProgram } from './source-clauses.ts';
import type { SourceLogins } from './source-logins.ts';

/** Everything that commands about sources work with. */
export interface SourcesWork {
    readonly tree: DataTree;
    readonly logins: SourceLogins;
    readonly reached: ReachedServers;
}

/** Puts the binds of sources into the program in the editor. */
export async function insertBinds(work: SourcesWork, connection: Connection, sources: readonly Source[]): Promise<CommandOutcome> {
    const editor = window.activeTextEditor;
    if (editor?.document.languageId !== 'rulelang') {
        void window.showInformationMessage(l10n.t('Open a program, and put the cursor where the bind is to stand.'));
        return 'nothing to do';
    }
    const text = await clausesFor(connection, editor.document, sources);
    if (text === '') return 'nothing to do';
    await editor.insertSnippet(new SnippetString().appendText(text), editor.selection.active.with({ character: 0 }));
    await letReach(work, sources);
    return 'done';
}

/** Opens a new program, inferred from the tables of sources. */
export async function inferProgram(work: SourcesWork, connection: Connection, sources: readonly Source[]): Promise<CommandOutcome> {
    const uri = await newProgramPlace(fileNameOf(sources));
    const place = placeOfProgram(connection, uri);
    const infer = async ([next, ...others]: readonly PlaceOfSources[], databases: readonly Database[]): Promise<string | undefined> => {
        if (next !== undefined) {
            const title = l10n.t('Infer a program from {0}', next.sources[0].database_name);
            return work.logins.withLogin(connection, next.sources, title, database => infer(others, [...databases, database]));
        }
        const [database, ...further] = databases;
        if (database === undefined) return undefined;
        const parts = { addModel: true, addOutput: true, ...(further.length > 0 && { further }), ...(place && { place }) };
        return connection.client.inferSchema({ body: { database, ...parts } });
    };
    const program = await infer(byPlace(sources), []);
    if (program === undefined) return 'nothing to do';
    await openNewProgram(uri, program);
    await letReach(work, sources);
    return 'done';
}

export async function forgetPassword(work: SourcesWork, connection: Connection, node: DataNode | undefined): Promise<CommandOutcome> {
    const [first] = await sourcesOf(node === undefined ? [] : [node], work.tree);
    if (first === undefined) return 'nothing to do';
    await work.logins.forgetPassword(connection, await besideOf(first, work.tree));
    window.setStatusBarMessage(`$(check) ${l10n.t('The password of {0} is forgotten.', first.database_name)}`, 5_000);
    return 'done';
}

/** Asks whether sources are to be forgotten, and forgets them. */
export async function removeSource(work: SourcesWork, connection: Connection, node: DataNode | undefined): Promise<CommandOutcome> {
    const sources = await sourcesOf(node === undefined ? [] : [node], work.tree);
    const [first] = sources;
    if (first === undefined) return 'nothing to do';
    const forget = l10n.t('Forget');
    const question =
        sources.length === 1
            ? l10n.t("Forget the source '{0}'?", first.name)
            : l10n.t("Forget the {0} tables of '{1}'?", sources.length, first.database_name);
    const detail = l10n.t('The data stay as they are. What opens it is forgotten: concepts that bind it can no longer be run.');
    if ((await window.showWarningMessage(`${question} ${detail}`, forget)) !== forget) return 'nothing to do';
    const ids = sources.map(({ id }) => id);
    const isLast = (await besideOf(first, work.tree)).every(({ id }) => ids.includes(id));
    await connection.client.cleanupSources({ body: { scope: first.scope as Scope, source_ids: ids } });
    if (isLast) await work.logins.remove(connection, first);
    return 'done';
}

async function letReach({ reached }: SourcesWork, sources: readonly Source[]): Promise<void> {
    for (const source of sources) if (!isFileType(source.database_type)) await reached.let(source);
}

/** What a program about a database, or about a file, is called. */
function fileNameOf([source]: readonly Source[]): string {
    const name = basename(source?.database_name ?? '');
    return basename(name, extname(name)).replaceAll(/[^\w-]+/gu, '_') || 'tables';
}

/** All sources of the place of one, in whatever scope. */
async function besideOf({ scope: _, ...place }: Source, tree: DataTree): Promise<readonly Source[]> {
    return tree.sourcesOf(place);
}
