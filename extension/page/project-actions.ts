import { l10n } from '#extension/surfaces/l10n.ts';
import { openMenu } from '#extension/surfaces/menu.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { openAskSheet } from './ask-sheet.ts';
import { importChosen } from './import-files.ts';
import type { Project } from './project-nav.ts';
import { saveFile } from './saved-file.ts';
import type { PageHost } from './section.ts';

const LONGEST_NAME = 200;

function complaintAbout(name: string): string | undefined {
    if (name === '') return l10n.t('A project needs a name');
    return name.length > LONGEST_NAME ? l10n.t('A name has {0} characters at most', LONGEST_NAME) : undefined;
}

/** Asks for the name of a project, and makes it. */
export function createProject(client: Pick<PlatformClient, 'saveProject'>, open: (project: Project) => void): void {
    openAskSheet({
        title: l10n.t('New project'),
        name: { label: l10n.t('What the project is called'), value: '', complaint: complaintAbout },
        label: l10n.t('Create'),
        async act(name) {
            open(await client.saveProject({ body: { project: { name, scope: 'user' } } }));
            return undefined;
        },
    });
}

/** What can be done with a project, below a button. */
export function offerProjectActions(button: HTMLElement, host: PageHost): void {
    const { client, project, scope, refresh, goToProject } = host;
    const { id } = project;
    const rename = (): void =>
        openAskSheet({
            title: l10n.t('Rename project'),
            name: { label: l10n.t('What the project is called'), value: project.name, complaint: complaintAbout },
            label: l10n.t('Rename'),
            async act(name) {
                if (name !== project.name) await client.saveProject({ body: { project: { scope, id, name } } });
                refresh();
                return undefined;
            },
        });
    const remove = (): void =>
        openAskSheet({
            title: l10n.t("Delete the project '{0}'?", project.name),
            text: l10n.t(
                'Its {0} concepts go with their rows, scripts and dashboards. This cannot be undone.',
                countText(project.concept_count),
            ),
            label: l10n.t('Delete'),
            async act() {
                await client.cleanupProjects({ body: { project: { scope, id } } });
                goToProject(undefined);
                return undefined;
            },
        });
    const exportProject = async (): Promise<void> => {
        const { text } = await client.exportProject({ body: { project_id: id, scope } });
        saveFile(`${project.name}.json`, text);
    };
    openMenu(button, l10n.t('What to do with {0}', project.name), [
        { label: l10n.t('Rename project'), choose: rename },
        { label: l10n.t('Import files'), choose: () => importChosen(host) },
        { label: l10n.t('Export project'), choose: () => void exportProject().catch(host.failed) },
        { label: l10n.t('Delete project'), choose: remove },
    ]);
}
