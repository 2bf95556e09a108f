import { basename, extname } from 'node:path/posix';
import { commands, l10n, type QuickPickItem, Uri, window, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { lookedAt } from '#extension/host/last-editor.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { beginning, type ConceptKind } from '#extension/page/beginning.ts';
import { bodyOf, groupOf, isConceptName, unusedName } from '#extension/page/saved-body.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { uriOfConcept } from '#extension/projects/concept-files.ts';
import { type ConceptDocument, readConceptUri } from '#extension/projects/concept-uri.ts';
import { tabsOf } from '#extension/projects/moved-tabs.ts';
import {
    type Concept,
    type Project,
    type ProjectPlace,
    type Projects,
    placeOf,
    placeOfConcept,
    type Scope,
} from '#extension/projects/projects.ts';
import { rowsText } from '#extension/projects/rows-text.ts';
import type { ConceptPanels } from '#extension/webviews/concept/host.ts';
import { JsonText } from '#server/protocol/json-text.ts';
import type { ConceptNode } from './concept-tree.ts';
import type { ProjectActions } from './dashboard-commands.ts';

const PROJECT_FORMAT = 'rulelang-project';

type SaveBody = Parameters<Connection['client']['saveConcept']>[0]['body'];

/** What is done with projects and concepts; arguments are nodes of the tree, or nothing from the command palette. */
export interface ConceptCommands extends ProjectActions {
    newProject(): Promise<CommandOutcome>;
    renameProject(node?: ConceptNode): Promise<CommandOutcome>;
    deleteProject(node?: ConceptNode): Promise<CommandOutcome>;
    exportProject(node?: ConceptNode): Promise<CommandOutcome>;
    importFiles(node?: ConceptNode): Promise<CommandOutcome>;
    newConcept(node?: ConceptNode): Promise<CommandOutcome>;
    renameConcept(node?: ConceptNode): Promise<CommandOutcome>;
    moveConcept(node?: ConceptNode): Promise<CommandOutcome>;
    describeConcept(node?: ConceptNode): Promise<CommandOutcome>;
    duplicateConcept(node?: ConceptNode): Promise<CommandOutcome>;
    deleteConcept(node?: ConceptNode): Promise<CommandOutcome>;
    exportConcept(node?: ConceptNode): Promise<CommandOutcome>;
    runConcept(node?: ConceptNode): Promise<CommandOutcome>;
    showConcept(node?: ConceptNode): Promise<CommandOutcome>;
    saveSelection(): Promise<CommandOutcome>;
    saveRules(rules: string): Promise<CommandOutcome>;
    /** Adds the contents of files to a project; without one, exported projects become new ones. */
    add(files: readonly Uri[], project: Project | undefined): Promise<CommandOutcome>;
    /** Puts a concept into a group, or out of all where it is empty. */
    group(concept: Concept, group: string): Promise<CommandOutcome>;
}

/** `isDraft` says whether a document is kept, and not saved. */
export function createConceptCommands(
    projects: Projects,
    server: Server,
    panels: ConceptPanels,
    isDraft: (uri: Uri) => boolean,
): ConceptCommands {
    /** Does something with the services; what they refuse is told, and the tree shows what is there then. */
    const attempt = async (act: (connection: Connection) => Promise<CommandOutcome>): Promise<CommandOutcome> => {
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
    };
    /** Asks for the name of a project, and makes it. */
    const makeProject = async (connection: Connection, value = ''): Promise<Project | undefined> => {
        const prompt = l10n.t('What the project is called');
        const name = (await window.showInputBox({ title: l10n.t('New project'), prompt, value, ignoreFocusOut: true }))?.trim() ?? '';
        return name === '' ? undefined : connection.client.saveProject({ body: { project: { name, scope: 'user' } } });
    };
    /** Of a node, else the one that is looked at; the user chooses among several. */
    const projectOf = async (node: ConceptNode | undefined): Promise<Project | undefined> => {
        if (node !== undefined && 'project' in node) return node.project;
        const all = await projects.list();
        const here = shownConcept()?.project;
        const open = all.find(({ id, scope }) => id === here?.id && scope === here.scope);
        if (open !== undefined || all.length === 1) return open ?? all[0];
        const items = all.map(project => ({ label: project.name, description: project.scope, project }));
        return (await window.showQuickPick(items, { title: l10n.t('Project'), ignoreFocusOut: true }))?.project;
    };
    /** The concept of a node, else that of the document which is looked at. */
    const conceptOf = async (node: ConceptNode | undefined): Promise<Concept | undefined> => {
        if (node !== undefined && 'concept' in node) return node.concept;
        const document = shownConcept();
        if (document !== undefined) return projects.concept(document.project, document.concept);
        void window.showInformationMessage(l10n.t('Open a concept first, or choose one in the view of concepts.'));
        return undefined;
    };
    const withConcept = async (
        node: ConceptNode | undefined,
        act: (connection: Connection, concept: Concept) => Promise<CommandOutcome>,
    ): Promise<CommandOutcome> =>
        attempt(async connection => {
            const concept = await conceptOf(node);
            return concept === undefined ? 'nothing to do' : act(connection, concept);
        });
    const namesIn = async (place: ProjectPlace): Promise<readonly string[]> =>
        (await projects.contents(place)).concepts.map(({ concept_name }) => concept_name);
    const askName = async (title: string, value: string, taken: readonly string[], prompt?: string): Promise<string | undefined> =>
        window.showInputBox({
            ignoreFocusOut: true,
            title,
            value,
            ...(prompt !== undefined && { prompt }),
            validateInput: text => {
                if (!isConceptName(text)) return l10n.t('A name begins with a letter or _ and has letters, digits and _');
                return text !== value && taken.includes(text) ? l10n.t('There is a concept of this name') : undefined;
            },
        });
    const save = async (connection: Connection, place: ProjectPlace, body: Omit<SaveBody, 'scope'>): Promise<Uri> => {
        const saved = await connection.client.saveConcept({ path: { project_id: place.id }, body: { ...body, scope: place.scope } });
        return uriOfConcept(connection, saved);
    };
    const open = async (uri: Uri): Promise<CommandOutcome> => {
        projects.refresh();
        await commands.executeCommand('vscode.open', uri);
        return 'done';
    };
    const group = (concept: Concept, name: string): Promise<CommandOutcome> =>
        attempt(async connection => {
            await save(connection, placeOfConcept(concept), { ...bodyOf(concept), existing_name: concept.concept_name, group: name });
            return 'done';
        });

    const addFile = async (connection: Connection, file: Uri, project: Project | undefined): Promise<CommandOutcome> => {
        const text = new TextDecoder().decode(await workspace.fs.readFile(file));
        if (extname(file.path) === '.json') {
            const format = formatOf(text);
            if (format === PROJECT_FORMAT) {
                const scope = project === undefined ? 'user' : (project.scope as Scope);
                await connection.client.importProject({ body: { export_data: new JsonText(text), scope } });
                return 'done';
            }
        }
        const kind = { '.rulelang': 'logic', '.sql': 'sql' }[extname(file.path)] as 'logic' | 'sql' | undefined;
        if (kind === undefined || project === undefined) {
            const name = basename(file.path);
            const wanted = l10n.t("'{0}' is no rules (.rulelang), SQL (.sql) or exported project (.json).", name);
            void window.showErrorMessage(kind === undefined ? wanted : l10n.t("Choose the project that '{0}' goes to.", name));
            return 'nothing to do';
        }
        const concept_name = basename(file.path, extname(file.path))
            .replaceAll(/\W/gu, '_')
            .replace(/^(?=\d)/u, '_');
        const taken = await namesIn(placeOf(project));
        // Rules say themselves what they are called, unless they have several outputs.
        const body: Omit<SaveBody, 'scope'> = { concept_type: kind, definition: text, ...(kind === 'sql' && { concept_name }) };
        if (kind === 'sql' && taken.includes(concept_name)) {
            const name = await askName(l10n.t('Add {0}', basename(file.path)), unusedName(concept_name, taken), taken);
            if (name === undefined) return 'nothing to do';
            return open(await save(connection, placeOf(project), { ...body, concept_name: name }));
        }
        return open(await save(connection, placeOf(project), body));
    };
    /** A text becomes a concept of a name that the user chooses; rules call what they are saved as so. */
    const saveText = async (connection: Connection, definition: string, isSql: boolean): Promise<CommandOutcome> => {
        const isFirst = (await projects.list()).length === 0;
        const project = await (isFirst ? makeProject(connection, workspace.name) : projectOf(undefined));
        if (project === undefined) return 'nothing to do';
        const headPredicates = isSql ? [] : (await connection.client.analyze({ body: { program: definition } })).headPredicates;
        const taken = await namesIn(placeOf(project));
        const likely = headPredicates.at(-1) ?? unusedName('concept', taken);
        const name = await askName(l10n.t('Save as concept of {0}', project.name), unusedName(likely, taken), taken);
        if (name === undefined) return 'nothing to do';
        const renamed =
            isSql || headPredicates.includes(name)
                ? { definition }
                : await server.ask('rulelang/renamedConcept', { type: 'logic', definition, from: likely, to: name });
        const body = { definition: renamed.definition ?? definition, concept_name: name, concept_type: isSql ? 'sql' : 'logic' } as const;
        return open(await save(connection, placeOf(project), body));
    };
    const add: ConceptCommands['add'] = (files, project) =>
        attempt(async connection => {
            for (const file of files) if ((await addFile(connection, file, project)) !== 'done') return 'nothing to do';
            return 'done';
        });

    return {
        attempt,
        projectOf,
        dashboards: async place => (await projects.contents(place)).dashboards,
        add,
        group,
        newProject: () => attempt(async connection => ((await makeProject(connection)) === undefined ? 'nothing to do' : 'done')),
        renameProject: node =>
            attempt(async connection => {
                const project = await projectOf(node);
                const name =
                    project && (await window.showInputBox({ title: l10n.t('Rename project'), value: project.name, ignoreFocusOut: true }));
                if (project === undefined || name === undefined || name.trim() === '' || name === project.name) return 'nothing to do';
                await connection.client.saveProject({ body: { project: { ...placeOf(project), name: name.trim() } } });
                return 'done';
            }),
        deleteProject: node =>
            attempt(async connection => {
                const project = await projectOf(node);
                if (project === undefined) return 'nothing to do';
                const { concepts } = await projects.contents(placeOf(project));
                const remove = l10n.t('Delete');
                const detail = l10n.t(
                    'Its {0} concepts go with their rows, scripts and dashboards. This cannot be undone.',
                    concepts.length,
                );
                const question = l10n.t("Delete the project '{0}'?", project.name);
                if ((await window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return 'nothing to do';
                await connection.client.cleanupProjects({ body: { project: placeOf(project) } });
                return 'done';
            }),
        exportProject: node =>
            attempt(async connection => {
                const project = await projectOf(node);
                if (project === undefined) return 'nothing to do';
                const { scope, id: project_id } = placeOf(project);
                const { text } = await connection.client.exportProject({ body: { project_id, scope } });
                return saveFile(`${project.name}.json`, { JSON: ['json'] }, text);
            }),
        importFiles: node =>
            attempt(async () => {
                const files = await window.showOpenDialog({
                    title: l10n.t('Add files'),
                    canSelectMany: true,
                    filters: { [l10n.t('Rules, SQL, exported projects')]: ['rulelang', 'sql', 'json'] },
                });
                if (files === undefined) return 'nothing to do';
                const isConcept = files.some(({ path }) => extname(path) !== '.json');
                return add(files, isConcept || node !== undefined ? await projectOf(node) : undefined);
            }),
        newConcept: node =>
            attempt(async connection => {
                const project = await projectOf(node);
                if (project === undefined) return 'nothing to do';
                const kinds: readonly (QuickPickItem & { readonly of: ConceptKind })[] = [
                    { label: l10n.t('Rules'), description: l10n.t('rows derived from other concepts and data'), of: 'logic' },
                    { label: 'SQL', description: l10n.t('a query over other concepts'), of: 'sql' },
                    { label: l10n.t('Python'), description: l10n.t('a script that computes rows'), of: 'python' },
                ];
                const kind = await window.showQuickPick(kinds, { title: l10n.t('New concept: what is it made of?'), ignoreFocusOut: true });
                const taken = await namesIn(placeOf(project));
                const name = kind && (await askName(l10n.t('New concept'), unusedName('concept', taken), taken));
                if (kind === undefined || name === undefined) return 'nothing to do';
                const inGroup = node?.kind === 'group' ? { group: node.group } : {};
                return open(await save(connection, placeOf(project), { ...beginning(kind.of, name), ...inGroup }));
            }),
        renameConcept: node =>
            withConcept(node, async ({ client }, concept) => {
                const { concepts } = await projects.contents(placeOfConcept(concept));
                const users = concepts.filter(({ dependencies }) => dependencies.includes(concept.concept_name));
                const prompt =
                    users.length === 0
                        ? l10n.t('No other concept reads it.')
                        : l10n.t('It is renamed in those that read it, too: {0}', users.map(({ concept_name }) => concept_name).join(', '));
                const taken = concepts.map(({ concept_name }) => concept_name);
                const name = await askName(l10n.t('Rename {0}', concept.concept_name), concept.concept_name, taken, prompt);
                if (name === undefined || name === concept.concept_name) return 'nothing to do';
                const { scope, id } = placeOfConcept(concept);
                const tabs = tabsOf(concept, isDraft);
                if (tabs.isDirty) {
                    void window.showErrorMessage(l10n.t("'{0}' has unsaved changes: save or discard them first.", concept.concept_name));
                    return 'nothing to do';
                }
                await client.renameConcept({ path: { project_id: id }, body: { name: concept.concept_name, new_name: name, scope } });
                await tabs.follow(name);
                return 'done';
            }),
        moveConcept: node =>
            withConcept(node, async (_, concept) => {
                const { concepts } = await projects.contents(placeOfConcept(concept));
                const groups = [...new Set(concepts.map(groupOf))].filter(name => name !== '' && name !== groupOf(concept)).sort();
                const none = { label: l10n.t('No group'), group: '' };
                const fresh = { label: `$(add) ${l10n.t('New group')}…`, group: undefined };
                const items = [...groups.map(name => ({ label: name, group: name })), ...(groupOf(concept) === '' ? [] : [none]), fresh];
                const chosen = await window.showQuickPick<{ label: string; group: string | undefined }>(items, {
                    title: l10n.t('Move {0} to a group', concept.concept_name),
                });
                if (chosen === undefined) return 'nothing to do';
                const name = chosen.group ?? (await window.showInputBox({ title: l10n.t('New group'), ignoreFocusOut: true }));
                return name === undefined ? 'nothing to do' : group(concept, name.trim());
            }),
        describeConcept: node =>
            withConcept(node, async (connection, concept) => {
                const title = l10n.t('What {0} means', concept.concept_name);
                const description = await window.showInputBox({ title, value: concept.description, ignoreFocusOut: true });
                if (description === undefined || description === concept.description) return 'nothing to do';
                const body = { ...bodyOf(concept), existing_name: concept.concept_name, description };
                await save(connection, placeOfConcept(concept), body);
                return 'done';
            }),
        duplicateConcept: node =>
            withConcept(node, async (connection, concept) => {
                const place = placeOfConcept(concept);
                const taken = await namesIn(place);
                const suggested = unusedName(concept.concept_name, taken);
                const name = await askName(l10n.t('Duplicate {0}', concept.concept_name), suggested, taken);
                if (name === undefined) return 'nothing to do';
                const { concept_name: from, concept_type, definition } = concept;
                const type = concept_type as 'logic' | 'sql';
                // A query does not say what it is called; rules do.
                const copy =
                    type === 'sql' ? { definition } : await server.ask('rulelang/renamedConcept', { type, definition, from, to: name });
                if (copy.definition === undefined) {
                    void window.showErrorMessage(l10n.t("The rules of '{0}' cannot be called '{1}': choose another name.", from, name));
                    return 'nothing to do';
                }
                return open(await save(connection, place, { ...bodyOf(concept), concept_name: name, definition: copy.definition }));
            }),
        deleteConcept: node =>
            withConcept(node, async ({ client }, concept) => {
                if (!(await isGiven(concept))) return 'nothing to do';
                const { scope, id: project_id } = placeOfConcept(concept);
                await client.cleanupConcepts({ path: { project_id }, body: { scope, concept_names: [concept.concept_name] } });
                void offerUndo(concept);
                return 'done';
            }),
        exportConcept: node =>
            withConcept(node, async (_, concept) => {
                const isSql = concept.concept_type === 'sql';
                const filters: Record<string, string[]> = isSql ? { SQL: ['sql'] } : { Rulelang: ['rulelang'] };
                return saveFile(`${concept.concept_name}.${isSql ? 'sql' : 'rulelang'}`, filters, concept.definition);
            }),
        // Not an attempt: what a run ends with is shown where its rows are.
        async runConcept(node) {
            const document = lookedAt()?.document;
            if (node === undefined && document !== undefined && readConceptUri(document.uri) !== undefined && document.isDirty)
                await document.save();
            if (node === undefined && document !== undefined && isDraft(document.uri))
                window.setStatusBarMessage(`$(info) ${l10n.t('The draft is not saved: what was saved last is run.')}`, 5_000);
            const concept = await conceptOf(node);
            return concept === undefined ? 'nothing to do' : panels.run(concept);
        },
        showConcept: node =>
            withConcept(node, async (_, concept) => {
                panels.show(concept);
                return 'done';
            }),
        saveSelection: () =>
            attempt(async connection => {
                const editor = lookedAt();
                if (editor === undefined) return 'nothing to do';
                const { document, selection } = editor;
                const definition = document.getText(selection.isEmpty ? undefined : selection);
                return saveText(connection, definition, document.languageId === 'sql');
            }),
        saveRules: rules => attempt(connection => saveText(connection, rules, false)),
    };

    /** Not awaited: the view shows at once that the concept is gone. */
    async function offerUndo(concept: Concept): Promise<void> {
        const undo = l10n.t('Undo');
        const told = l10n.t("'{0}' was deleted.", concept.concept_name);
        if ((await window.showInformationMessage(told, undo)) !== undo) return;
        await attempt(async connection => {
            await save(connection, placeOfConcept(concept), { ...bodyOf(concept), concept_name: concept.concept_name });
            return 'done';
        });
    }
}

/** Whether the user gives up the rows of a concept, which do not come back with it. */
async function isGiven({ concept_name, is_populated, row_count }: Concept): Promise<boolean> {
    if (!is_populated) return true;
    const remove = l10n.t('Delete');
    const question = l10n.t("Delete '{0}' and what is stored of it ({1})?", concept_name, rowsText(row_count));
    const detail = l10n.t('Undo brings its definition back; its rows come with the next run.');
    return (await window.showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}

/** The concept of the document that is looked at. */
function shownConcept(): ConceptDocument | undefined {
    const editor = lookedAt();
    return editor && readConceptUri(editor.document.uri);
}

function formatOf(text: string): unknown {
    try {
        return (JSON.parse(text) as { readonly format?: unknown } | null)?.format;
    } catch {
        return undefined;
    }
}

async function saveFile(name: string, filters: Record<string, string[]>, text: string): Promise<CommandOutcome> {
    const folder = workspace.workspaceFolders?.[0]?.uri;
    const file = await window.showSaveDialog({ filters, ...(folder && { defaultUri: Uri.joinPath(folder, name) }) });
    if (file === undefined) return 'nothing to do';
    await workspace.fs.writeFile(file, new TextEncoder().encode(text));
    return 'done';
}
