import { type ExtensionContext, type LogOutputChannel, l10n, Range, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { CommandOutcome } from '#extension/commands/outcome.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { uriOfConcept } from '#extension/projects/concept-files.ts';
import { type Concept, type ProjectPlace, type Projects, placeOfConcept } from '#extension/projects/projects.ts';
import { exactJson } from '#server/client/exact-json.ts';
import { PlatformError } from '#server/client/platform-client.ts';
import { JsonText, jsonOf } from '#server/protocol/json-text.ts';
import { isText, recordOf } from '#server/protocol/shape.ts';
import { loadView } from '../page.ts';
import { CONCEPT, type HostMessage, type ViewMessage } from './messages.ts';

const CONCEPT_VIEW = 'rulelang.concept';
const WRITTEN = 'concept.parameters';

/** Panels with the rows, the runs and the definition of concepts, one per concept. */
export interface ConceptPanels {
    show(concept: Concept): void;
    /** Runs a concept with what was written for its parameters last; resolves when it has ended. */
    run(concept: Concept): Promise<CommandOutcome>;
}

interface Panel {
    reveal(): void;
    run(written: Readonly<Record<string, string>>): Promise<CommandOutcome>;
}

export function createConceptPanels(context: ExtensionContext, projects: Projects, log: LogOutputChannel): ConceptPanels {
    const panels = new Map<string, Panel>();
    const panelOf = (concept: Concept): Panel => {
        const key = keyOf(projects, concept);
        const known = panels.get(key);
        if (known !== undefined) return known;
        const made = createPanel(context, projects, log, concept, () => panels.delete(key));
        panels.set(key, made);
        return made;
    };
    return {
        show: concept => panelOf(concept).reveal(),
        async run(concept) {
            const panel = panelOf(concept);
            panel.reveal();
            return panel.run(writtenFor(context, keyOf(projects, concept)));
        },
    };
}

function keyOf(projects: Projects, { concept_name, scope, project_id }: Concept): string {
    return JSON.stringify([projects.connection()?.id ?? '', scope, project_id, concept_name]);
}

function createPanel(context: ExtensionContext, projects: Projects, log: LogOutputChannel, first: Concept, closed: () => void): Panel {
    const key = keyOf(projects, first);
    const { concept_name: name } = first;
    const place = placeOfConcept(first);
    const panel: WebviewPanel = window.createWebviewPanel(CONCEPT_VIEW, name, { viewColumn: ViewColumn.Beside, preserveFocus: true });
    const asked = new Map<number, AbortController>();
    let running: AbortController | undefined;
    let ended: Extract<HostMessage, { kind: 'ended' }> | undefined;
    const concept = async (): Promise<Concept | undefined> => projects.concept(place, name);
    const answer = async ({ id, route, call }: Extract<ViewMessage, { kind: 'ask' }>): Promise<void> => {
        const connection = projects.connection();
        if (connection === undefined) {
            post({ kind: 'refused', id, status: 0, code: 'not_connected', message: l10n.t('The services are not connected.') });
            return;
        }
        const abort = new AbortController();
        asked.set(id, abort);
        try {
            const ask = connection.client[route] as (call: unknown, signal: AbortSignal) => Promise<unknown>;
            post({ kind: 'answer', id, answer: jsonOf(await ask(inProject(place, exactJson(call)), abort.signal)) });
        } catch (reason) {
            const known = reason instanceof PlatformError ? reason : { status: 0, code: '' };
            if (!abort.signal.aborted) post({ kind: 'refused', id, status: known.status, code: known.code, message: failureText(reason) });
        } finally {
            asked.delete(id);
        }
    };
    const run = async (written: Readonly<Record<string, string>>): Promise<CommandOutcome> => {
        const connection = projects.connection();
        const now = await concept();
        if (connection === undefined || now === undefined || running !== undefined) return 'nothing to do';
        const abort = new AbortController();
        running = abort;
        ended = undefined;
        post({ kind: 'running' });
        const params = Object.fromEntries(
            Object.entries(written).flatMap(([param, text]) => (text === '' ? [] : [[param, jsonValueOf(text)]])),
        );
        const path = { project_id: place.id, concept_name: name };
        try {
            const { warnings } = await connection.client.runConcept({ path, body: { scope: place.scope, params } }, abort.signal);
            ended = { kind: 'ended', warnings };
        } catch (reason) {
            const error = abort.signal.aborted ? l10n.t('The run was stopped.') : failureText(reason);
            ended = { kind: 'ended', error, warnings: [] };
            log.info(`${name}: ${error}`);
        }
        running = undefined;
        post(ended);
        projects.refresh();
        return ended.error === undefined ? 'done' : 'failed';
    };
    const open = async (other: string, line?: number): Promise<void> => {
        const connection = projects.connection();
        const found = await projects.concept(place, other);
        if (connection === undefined || found === undefined) return;
        const at = line === undefined ? undefined : new Range(line - 1, 0, line - 1, 0);
        await window.showTextDocument(uriOfConcept(connection, found), {
            viewColumn: ViewColumn.One,
            ...(at && { selection: at }),
        });
    };
    const show = async (): Promise<void> => {
        const now = (await concept().catch(() => undefined)) ?? first;
        const written = writtenFor(context, key);
        post({
            kind: 'show',
            scope: place.scope,
            project: place.id,
            concept: name,
            mayRun: projects.connection()?.role === 'user',
            parameters: now.params.map(({ name: param, default: usual }: Concept['params'][number]) => ({
                name: param,
                ...(usual !== null && usual !== undefined && { usual: typeof usual === 'string' ? usual : JSON.stringify(usual) }),
                ...(written[param] !== undefined && { written: written[param] }),
            })),
        });
        if (running !== undefined) post({ kind: 'running' });
        else if (ended !== undefined) post(ended);
    };
    const receive = (message: ViewMessage): void => {
        switch (message.kind) {
            case 'ask':
                void answer(message);
                break;
            case 'leave':
                asked.get(message.id)?.abort();
                break;
            case 'run': {
                const written = Object.fromEntries(message.values.map(value => [value.name, value.written]));
                void context.workspaceState.update(WRITTEN, lastOf({ ...allWritten(context), [key]: written }));
                void run(written);
                break;
            }
            case 'stop':
                running?.abort();
                break;
            case 'reveal':
                void open(message.concept, message.line);
                break;
            case 'open':
                void open(message.concept);
                break;
        }
    };
    const post = loadView(panel, CONCEPT, context, log, { title: name, ready: () => void show(), receive });
    const changes = projects.changed(() => post({ kind: 'refresh' }));
    panel.onDidDispose(() => {
        changes.dispose();
        running?.abort();
        for (const abort of asked.values()) abort.abort();
        closed();
    });
    return { reveal: () => panel.reveal(undefined, true), run };
}

/** What the view asks is asked of the project of its concept, whatever it says. */
function inProject({ id, scope }: ProjectPlace, call: unknown): unknown {
    const { query, body } = call as { readonly query?: object; readonly body?: object };
    return {
        path: { project_id: id },
        ...(query && { query: 'scope' in query ? { ...query, scope } : query }),
        ...(body && { body: { ...body, scope } }),
    };
}

const MOST = 1_000;
const isWritten = recordOf(recordOf(isText, MOST), MOST);

function allWritten({ workspaceState }: ExtensionContext): Readonly<Record<string, Readonly<Record<string, string>>>> {
    const known = workspaceState.get<unknown>(WRITTEN);
    return isWritten(known) ? known : {};
}

/** The oldest are forgotten. */
function lastOf<T>(written: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
    return Object.fromEntries(Object.entries(written).slice(-MOST));
}

function writtenFor(context: ExtensionContext, key: string): Readonly<Record<string, string>> {
    return allWritten(context)[key] ?? {};
}

/** Numbers, truth values and lists as JSON has them; whatever is no JSON is a text. */
function jsonValueOf(written: string): JsonText | string {
    try {
        const value: unknown = JSON.parse(written);
        return value === null || (typeof value === 'object' && !Array.isArray(value)) ? written : new JsonText(written);
    } catch {
        return written;
    }
}
