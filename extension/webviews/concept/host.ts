import { type ExtensionContext, type LogOutputChannel, l10n, Range, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { SecretValues } from '#extension/host/secret-values.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { uriOfConcept } from '#extension/projects/concept-files.ts';
import { type Concept, type ProjectPlace, type Projects, placeOfConcept } from '#extension/projects/projects.ts';
import { paramsOf, typeOfDefault, writtenAs } from '#extension/surfaces/written-parameters.ts';
import { namesSecret } from '#server/protocol/secret-names.ts';
import { isText, recordOf } from '#server/protocol/shape.ts';
import { askAboutRows } from '../ask-about-rows.ts';
import { loadView } from '../page.ts';
import { createRelay } from '../relay-host.ts';
import { savePicture } from '../save-picture.ts';
import { exportConcept } from './export-concept.ts';
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

/** The last values of concepts' parameters, by concept; a parameter with the name of a secret is kept as one. */
interface WrittenParameters {
    of(key: string): Promise<Readonly<Record<string, string>>>;
    put(key: string, written: Readonly<Record<string, string>>): Promise<void>;
}

export function createConceptPanels(
    context: ExtensionContext,
    projects: Projects,
    secretValues: SecretValues,
    server: Server,
    log: LogOutputChannel,
): ConceptPanels {
    const written = writtenParameters(context, secretValues);
    const panels = new Map<string, Panel>();
    const panelOf = (concept: Concept): Panel => {
        const key = keyOf(projects, concept);
        const known = panels.get(key);
        if (known !== undefined) return known;
        const made = createPanel({ context, projects, written, server, log }, concept, () => panels.delete(key));
        panels.set(key, made);
        return made;
    };
    return {
        show: concept => panelOf(concept).reveal(),
        async run(concept) {
            const panel = panelOf(concept);
            panel.reveal();
            return panel.run(await written.of(keyOf(projects, concept)));
        },
    };
}

function keyOf(projects: Projects, { concept_name, scope, project_id }: Concept): string {
    return JSON.stringify([projects.connection()?.id ?? '', scope, project_id, concept_name]);
}

interface Surroundings {
    readonly context: ExtensionContext;
    readonly projects: Projects;
    readonly written: WrittenParameters;
    readonly server: Server;
    readonly log: LogOutputChannel;
}

function createPanel({ context, projects, written: parameters, server, log }: Surroundings, first: Concept, closed: () => void): Panel {
    const key = keyOf(projects, first);
    const { concept_name: name } = first;
    const place = placeOfConcept(first);
    const panel: WebviewPanel = window.createWebviewPanel(CONCEPT_VIEW, name, { viewColumn: ViewColumn.Beside, preserveFocus: true });
    let running: AbortController | undefined;
    let ended: Extract<HostMessage, { kind: 'ended' }> | undefined;
    const concept = async (): Promise<Concept | undefined> => projects.concept(place, name);
    const run = async (written: Readonly<Record<string, string>>): Promise<CommandOutcome> => {
        const connection = projects.connection();
        const now = await concept();
        if (connection === undefined || now === undefined || running !== undefined) return 'nothing to do';
        const abort = new AbortController();
        running = abort;
        ended = undefined;
        post({ kind: 'running' });
        const params = paramsOf(Object.entries(written).map(([param, text]) => ({ name: param, written: text })));
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
    const exportRows = async ({ view, format }: Extract<ViewMessage, { kind: 'export' }>): Promise<void> => {
        const connection = projects.connection();
        if (connection === undefined) return;
        const stored = { place: { scope: place.scope, project: place.id, concept: name }, view, format };
        const rows = await exportConcept(server, connection.client, stored);
        if (rows > 0) post({ kind: 'exported', rows });
    };
    const show = async (): Promise<void> => {
        const now = (await concept().catch(() => undefined)) ?? first;
        const written = await parameters.of(key);
        post({
            kind: 'show',
            scope: place.scope,
            project: place.id,
            concept: name,
            mayRun: projects.connection()?.role === 'user',
            parameters: now.params.map(({ name: param, default: usual }: Concept['params'][number]) => {
                const type = typeOfDefault(usual);
                return {
                    name: param,
                    ...(type !== undefined && { type }),
                    ...(usual !== null && usual !== undefined && { usual: writtenAs(usual) }),
                    ...(written[param] !== undefined && { written: written[param] }),
                };
            }),
        });
        if (running !== undefined) post({ kind: 'running' });
        else if (ended !== undefined) post(ended);
    };
    const receive = (message: ViewMessage): void => {
        switch (message.kind) {
            case 'ask':
            case 'leave':
                relay.take(message);
                break;
            case 'run': {
                const written = Object.fromEntries(message.values.map(value => [value.name, value.written]));
                void parameters.put(key, written);
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
            case 'export':
                void exportRows(message);
                break;
            case 'give':
                askAboutRows(message);
                break;
            case 'picture':
                void savePicture(undefined, message.name, message);
                break;
        }
    };
    const post = loadView(panel, CONCEPT, context, log, { title: name, ready: () => void show(), receive });
    const relay = createRelay(projects, (_, call) => inProject(place, call), post);
    const changes = projects.changed(() => post({ kind: 'refresh' }));
    panel.onDidDispose(() => {
        changes.dispose();
        running?.abort();
        relay.leave();
        closed();
    });
    return { reveal: () => panel.reveal(undefined, true), run };
}

/** Puts the project of the view's concept into a call, whatever the call says. */
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

function writtenParameters({ workspaceState }: ExtensionContext, secretValues: SecretValues): WrittenParameters {
    const all = (): Readonly<Record<string, Readonly<Record<string, string>>>> => {
        const known = workspaceState.get<unknown>(WRITTEN);
        return isWritten(known) ? known : {};
    };
    return {
        of: async key => ({ ...all()[key], ...(await secretValues.of(key)) }),
        async put(key, written) {
            const [hidden, plain] = [true, false].map(isHidden =>
                Object.fromEntries(Object.entries(written).filter(([name]) => namesSecret(name) === isHidden)),
            );
            // The oldest are forgotten.
            await workspaceState.update(WRITTEN, Object.fromEntries(Object.entries({ ...all(), [key]: plain }).slice(-MOST)));
            await secretValues.put(key, hidden ?? {});
        },
    };
}
