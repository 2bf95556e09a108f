import { commands, l10n, Uri, window, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { lookedAt } from '#extension/host/last-editor.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { uriOfConcept } from '#extension/projects/concept-files.ts';
import { type ConceptDocument, readConceptUri } from '#extension/projects/concept-uri.ts';
import type { Concept, Project, ProjectPlace, Projects } from '#extension/projects/projects.ts';
import { isConceptName } from '#extension/surfaces/platform/saved-body.ts';
import type { ConceptPanels } from '#extension/webviews/concept/host.ts';
import type { ConceptNode } from '../concept-tree.ts';

export type SaveBody = Omit<Parameters<Connection['client']['saveConcept']>[0]['body'], 'scope'>;

/** Everything that commands about projects and concepts work with. */
export interface ConceptWork {
    readonly projects: Projects;
    readonly server: Server;
    readonly panels: ConceptPanels;
    /** Whether the text of a document is a draft, which is not saved. */
    isDraft(uri: Uri): boolean;
}

/** A command about projects and concepts. The command palette gives no node. */
export type ConceptCommand = (work: ConceptWork, node?: ConceptNode) => Promise<CommandOutcome>;

/** Does something with the services. Shows the reason if they refuse it, and lists anew what they have then. */
export async function attempt(
    { projects }: ConceptWork,
    act: (connection: Connection) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
    const connection = projects.connection();
    if (connection === undefined) {
        void window.showInformationMessage(l10n.t('Start the local services or connect to a platform first.'));
        return 'nothing to do';
    }
    try {
        return await act(connection);
    } catch (reason) {
        void window.showErrorMessage(failureText(reason));
        return 'failed';
    } finally {
        projects.refresh();
    }
}

/** Does something with the project of a node, if there is one. */
export function withProject(
    work: ConceptWork,
    node: ConceptNode | undefined,
    act: (connection: Connection, project: Project) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
    return attempt(work, async connection => {
        const project = await projectOf(work, node);
        return project === undefined ? 'nothing to do' : act(connection, project);
    });
}

/** Does something with the concept of a node, if there is one. */
export function withConcept(
    work: ConceptWork,
    node: ConceptNode | undefined,
    act: (connection: Connection, concept: Concept) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
    return attempt(work, async connection => {
        const concept = await conceptOf(work, node);
        return concept === undefined ? 'nothing to do' : act(connection, concept);
    });
}

/** The project of a node, else of the concept in the last editor; the user chooses among several. */
export async function projectOf({ projects }: ConceptWork, node: ConceptNode | undefined): Promise<Project | undefined> {
    if (node !== undefined && 'project' in node) return node.project;
    const all = await projects.list();
    const here = shownConcept()?.project;
    const open = all.find(({ id, scope }) => id === here?.id && scope === here.scope);
    if (open !== undefined || all.length === 1) return open ?? all[0];
    const items = all.map(project => ({ label: project.name, description: project.scope, project }));
    return (await window.showQuickPick(items, { title: l10n.t('Project'), ignoreFocusOut: true }))?.project;
}

/** The concept of a node, else that of the document in the last editor. */
export async function conceptOf({ projects }: ConceptWork, node: ConceptNode | undefined): Promise<Concept | undefined> {
    if (node !== undefined && 'concept' in node) return node.concept;
    const document = shownConcept();
    if (document !== undefined) return projects.concept(document.project, document.concept);
    void window.showInformationMessage(l10n.t('Open a concept first, or choose one in the view of concepts.'));
    return undefined;
}

function shownConcept(): ConceptDocument | undefined {
    const editor = lookedAt();
    return editor && readConceptUri(editor.document.uri);
}

/** Asks for the name of a project, and makes it. */
export async function makeProject(connection: Connection, value = ''): Promise<Project | undefined> {
    const prompt = l10n.t('What the project is called');
    const name = (await window.showInputBox({ title: l10n.t('New project'), prompt, value, ignoreFocusOut: true }))?.trim() ?? '';
    return name === '' ? undefined : connection.client.saveProject({ body: { project: { name, scope: 'user' } } });
}

/** Names of the concepts of a project. */
export async function namesIn({ projects }: ConceptWork, place: ProjectPlace): Promise<readonly string[]> {
    return (await projects.contents(place)).concepts.map(({ concept_name }) => concept_name);
}

/** Asks for the name of a concept: `value`, or one that is not taken. */
export async function askName(title: string, value: string, taken: readonly string[], prompt?: string): Promise<string | undefined> {
    return window.showInputBox({
        ignoreFocusOut: true,
        title,
        value,
        ...(prompt !== undefined && { prompt }),
        validateInput: text => {
            if (!isConceptName(text)) return l10n.t('A name begins with a letter or _ and has letters, digits and _');
            return text !== value && taken.includes(text) ? l10n.t('There is a concept of this name') : undefined;
        },
    });
}

/** Saves a concept, and returns the address of its document. */
export async function save(connection: Connection, place: ProjectPlace, body: SaveBody): Promise<Uri> {
    const saved = await connection.client.saveConcept({ path: { project_id: place.id }, body: { ...body, scope: place.scope } });
    return uriOfConcept(connection, saved);
}

/** Opens the document of a concept that was just saved. */
export async function open({ projects }: ConceptWork, uri: Uri): Promise<CommandOutcome> {
    projects.refresh();
    await commands.executeCommand('vscode.open', uri);
    return 'done';
}

/** Writes a text to a file that the user chooses. */
export async function saveFile(name: string, filters: Record<string, string[]>, text: string): Promise<CommandOutcome> {
    const folder = workspace.workspaceFolders?.[0]?.uri;
    const file = await window.showSaveDialog({ filters, ...(folder && { defaultUri: Uri.joinPath(folder, name) }) });
    if (file === undefined) return 'nothing to do';
    await workspace.fs.writeFile(file, new TextEncoder().encode(text));
    return 'done';
}
