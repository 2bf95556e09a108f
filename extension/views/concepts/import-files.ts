import { basename, extname } from 'node:path/posix';
import { l10n, type Uri, window, workspace } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { type Project, placeOf, type Scope } from '#extension/projects/projects.ts';
import { unusedName } from '#extension/surfaces/platform/saved-body.ts';
import { JsonText } from '#server/protocol/json-text.ts';
import { askName, attempt, type ConceptCommand, type ConceptWork, namesIn, open, projectOf, type SaveBody, save } from './concept-work.ts';

const PROJECT_FORMAT = 'rulelang-project';

export const importFiles: ConceptCommand = (work, node) =>
    attempt(work, async () => {
        const files = await window.showOpenDialog({
            title: l10n.t('Add files'),
            canSelectMany: true,
            filters: { [l10n.t('Rules, SQL, exported projects')]: ['rulelang', 'sql', 'json'] },
        });
        if (files === undefined) return 'nothing to do';
        const isConcept = files.some(({ path }) => extname(path) !== '.json');
        return addFiles(work, files, isConcept || node !== undefined ? await projectOf(work, node) : undefined);
    });

/** Adds the contents of files to a project; without one, exported projects become new ones. */
export function addFiles(work: ConceptWork, files: readonly Uri[], project: Project | undefined): Promise<CommandOutcome> {
    return attempt(work, async connection => {
        for (const file of files) if ((await addFile(work, connection, file, project)) !== 'done') return 'nothing to do';
        return 'done';
    });
}

async function addFile(work: ConceptWork, connection: Connection, file: Uri, project: Project | undefined): Promise<CommandOutcome> {
    const text = new TextDecoder().decode(await workspace.fs.readFile(file));
    const ending = extname(file.path);
    if (ending === '.json' && formatOf(text) === PROJECT_FORMAT) {
        const scope = project === undefined ? 'user' : (project.scope as Scope);
        await connection.client.importProject({ body: { export_data: new JsonText(text), scope } });
        return 'done';
    }
    const kind = ({ '.rulelang': 'logic', '.sql': 'sql' } as const)[ending];
    const called = basename(file.path);
    if (kind === undefined) {
        void window.showErrorMessage(l10n.t("'{0}' is no rules (.rulelang), SQL (.sql) or exported project (.json).", called));
        return 'nothing to do';
    }
    if (project === undefined) {
        void window.showErrorMessage(l10n.t("Choose the project that '{0}' goes to.", called));
        return 'nothing to do';
    }
    const concept_name = basename(file.path, ending)
        .replaceAll(/\W/gu, '_')
        .replace(/^(?=\d)/u, '_');
    // Rules say themselves what they are called, unless they have several outputs.
    const body: SaveBody = { concept_type: kind, definition: text, ...(kind === 'sql' && { concept_name }) };
    const taken = await namesIn(work, placeOf(project));
    if (kind !== 'sql' || !taken.includes(concept_name)) return open(work, await save(connection, placeOf(project), body));
    const name = await askName(l10n.t('Add {0}', called), unusedName(concept_name, taken), taken);
    if (name === undefined) return 'nothing to do';
    return open(work, await save(connection, placeOf(project), { ...body, concept_name: name }));
}

function formatOf(text: string): unknown {
    try {
        return (JSON.parse(text) as { readonly format?: unknown } | null)?.format;
    } catch {
        return undefined;
    }
}
