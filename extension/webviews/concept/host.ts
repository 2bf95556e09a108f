import { type Disposable, type ExtensionContext, type LogOutputChannel, l10n, Range, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { SecretValues } from '#extension/host/secret-values.ts';
import type { Connection } from '#extension/platform/connection.ts';
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

type Shown = Extract<HostMessage, { readonly kind: 'show' }>;

interface Surroundings {
    readonly context: ExtensionContext;
    readonly projects: Projects;
    readonly written: WrittenParameters;
    readonly server: Server;
    readonly log: LogOutputChannel;
}

function createPanel(around: Surroundings, first: Concept, closed: () => void): Panel {
    return new ConceptPanel(around, first, closed);
}

class ConceptPanel implements Panel {
    readonly #around: Surroundings;
    readonly #first: Concept;
    readonly #key: string;
    readonly #place: ProjectPlace;
    readonly #panel: WebviewPanel;
    #running: AbortController | undefined;
    #ended: Extract<HostMessage, { kind: 'ended' }> | undefined;
    readonly #post: (message: HostMessage) => boolean;
    readonly #relay: ReturnType<typeof createRelay>;
    readonly #changes: Disposable;

    constructor(around: Surroundings, first: Concept, closed: () => void) {
        this.#around = around;
        this.#first = first;
        this.#key = keyOf(this.#around.projects, this.#first);
        this.#place = placeOfConcept(this.#first);
        this.#panel = window.createWebviewPanel(CONCEPT_VIEW, this.#first.concept_name, {
            viewColumn: ViewColumn.Beside,
            preserveFocus: true,
        });
        this.#post = loadView(this.#panel, CONCEPT, this.#around.context, this.#around.log, {
            title: this.#first.concept_name,
            ready: () => void this.#show(),
            receive: message => this.#receive(message),
        });
        this.#relay = createRelay(this.#around.projects, (_, call) => inProject(this.#place, call), this.#post);
        this.#changes = this.#around.projects.changed(() => this.#post({ kind: 'refresh' }));
        this.#panel.onDidDispose(() => {
            this.#changes.dispose();
            this.#running?.abort();
            this.#relay.leave();
            closed();
        });
    }

    reveal(): void {
        this.#panel.reveal(undefined, true);
    }

    async #concept(): Promise<Concept | undefined> {
        return this.#around.projects.concept(this.#place, this.#first.concept_name);
    }

    async run(written: Readonly<Record<string, string>>): Promise<CommandOutcome> {
        const connection = this.#around.projects.connection();
        const now = await this.#concept();
        if (connection === undefined || now === undefined || this.#running !== undefined) return 'nothing to do';
        const abort = new AbortController();
        this.#running = abort;
        this.#ended = undefined;
        this.#post({ kind: 'running' });
        this.#ended = await ending(connection, this.#first, written, abort.signal);
        if (this.#ended.error !== undefined) this.#around.log.info(`${this.#first.concept_name}: ${this.#ended.error}`);
        this.#running = undefined;
        this.#post(this.#ended);
        this.#around.projects.refresh();
        return this.#ended.error === undefined ? 'done' : 'failed';
    }

    async #exportRows({ view, format }: Extract<ViewMessage, { kind: 'export' }>): Promise<void> {
        const connection = this.#around.projects.connection();
        if (connection === undefined) return;
        const stored = { place: { scope: this.#place.scope, project: this.#place.id, concept: this.#first.concept_name }, view, format };
        const rows = await exportConcept(this.#around.server, connection.client, stored);
        if (rows > 0) this.#post({ kind: 'exported', rows });
    }

    async #show(): Promise<void> {
        const now = (await this.#concept().catch(() => undefined)) ?? this.#first;
        const written = await this.#around.written.of(this.#key);
        this.#post({
            kind: 'show',
            scope: this.#place.scope,
            project: this.#place.id,
            concept: this.#first.concept_name,
            mayRun: this.#around.projects.connection()?.role === 'user',
            parameters: parametersOf(now, written),
        });
        if (this.#running !== undefined) this.#post({ kind: 'running' });
        else if (this.#ended !== undefined) this.#post(this.#ended);
    }

    #receive(message: ViewMessage): void {
        switch (message.kind) {
            case 'ask':
            case 'leave':
                this.#relay.take(message);
                break;
            case 'run': {
                const written = Object.fromEntries(message.values.map(value => [value.name, value.written]));
                void this.#around.written.put(this.#key, written);
                void this.run(written);
                break;
            }
            case 'stop':
                this.#running?.abort();
                break;
            case 'reveal':
                void openDefinition(this.#around.projects, this.#place, message.concept, message.line);
                break;
            case 'open':
                void openDefinition(this.#around.projects, this.#place, message.concept);
                break;
            case 'export':
                void this.#exportRows(message);
                break;
            case 'give':
                askAboutRows(message);
                break;
            case 'picture':
                void savePicture(undefined, message.name, message);
                break;
        }
    }
}

/** Runs a concept, and returns how that ended. */
async function ending(
    { client }: Connection,
    concept: Concept,
    written: Readonly<Record<string, string>>,
    signal: AbortSignal,
): Promise<Extract<HostMessage, { kind: 'ended' }>> {
    const { scope, id: project_id } = placeOfConcept(concept);
    const params = paramsOf(Object.entries(written).map(([name, text]) => ({ name, written: text })));
    try {
        const { warnings } = await client.runConcept(
            { path: { project_id, concept_name: concept.concept_name }, body: { scope, params } },
            signal,
        );
        return { kind: 'ended', warnings };
    } catch (reason) {
        return { kind: 'ended', error: signal.aborted ? l10n.t('The run was stopped.') : failureText(reason), warnings: [] };
    }
}

/** Opens the definition of a concept of a project, at a line if one is given: one-based. */
async function openDefinition(projects: Projects, place: ProjectPlace, other: string, line?: number): Promise<void> {
    const connection = projects.connection();
    const found = await projects.concept(place, other);
    if (connection === undefined || found === undefined) return;
    const at = line === undefined ? undefined : new Range(line - 1, 0, line - 1, 0);
    await window.showTextDocument(uriOfConcept(connection, found), {
        viewColumn: ViewColumn.One,
        ...(at && { selection: at }),
    });
}

/** The parameters of a concept, with what was written for them last. */
function parametersOf({ params }: Concept, written: Readonly<Record<string, string>>): Shown['parameters'] {
    return params.map(({ name, default: usual }: Concept['params'][number]) => {
        const type = typeOfDefault(usual);
        return {
            name,
            ...(type !== undefined && { type }),
            ...(usual !== null && usual !== undefined && { usual: writtenAs(usual) }),
            ...(written[name] !== undefined && { written: written[name] }),
        };
    });
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
