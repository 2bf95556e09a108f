import { Uri, ViewColumn, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { ShownPart } from '#server/protocol/shown.ts';
import { predicateTarget, programTarget } from './target.ts';

/** Shows what is made of a program beside it: the plan of it all. */
export async function showPlan(server: Server, uri?: unknown): Promise<CommandOutcome> {
    const document = programTarget(uri, undefined);
    return document === undefined ? 'nothing to do' : show(server, 'plan', document);
}

/** The same of a predicate: the one that is named, else the one at the cursor, else one that the user picks. */
export async function showOfPredicate(server: Server, part: ShownPart, uri?: unknown, name?: unknown): Promise<CommandOutcome> {
    const target = await predicateTarget(uri, name);
    if (target === undefined) return 'nothing to do';
    const { document, predicate, arity } = target;
    return show(server, part, document, arity === undefined ? predicate : `${predicate}/${arity}`);
}

async function show(server: Server, part: ShownPart, program: Uri, predicate?: string): Promise<CommandOutcome> {
    const asked = { uri: program.toString(), part, ...(predicate !== undefined && { predicate }) };
    const shown = await server.ask('rulelang/show', asked);
    if (shown === null) return 'nothing to do';
    await window.showTextDocument(Uri.parse(shown.uri), { viewColumn: ViewColumn.Beside, preview: true });
    return 'done';
}
