import { l10n } from '#extension/surfaces/l10n.ts';
import { draftComplaint } from '#extension/surfaces/platform/concept-drafts.ts';
import { unusedName } from '#extension/surfaces/platform/saved-body.ts';
import { JsonText } from '#server/protocol/json-text.ts';
import { openAskSheet } from './ask-sheet.ts';
import { takeDropped } from './dropped-files.ts';
import { chooseFiles } from './saved-file.ts';
import type { PageHost, ServicesHost } from './section.ts';

type Target = ServicesHost & Partial<Pick<PageHost, 'goToProject'>>;

const ENDINGS = ['.rulelang', '.sql', '.json'] as const;

/** Has files chosen, which become concepts and projects. */
export function importChosen(target: Target): void {
    chooseFiles(ENDINGS, files => importFiles(target, files));
}

/** Takes files that are dropped on a surface. */
export function importDropped(surface: HTMLElement, target: Target): void {
    takeDropped(surface, files => importFiles(target, files));
}

function importFiles(target: Target, files: readonly File[]): void {
    void (async () => {
        const faults: string[] = [];
        for (const file of files) {
            const fault = await importFile(target, file);
            if (fault !== undefined) faults.push(fault);
        }
        target.refresh();
        if (faults.length > 0) tell(faults.join('\n'));
    })().catch(target.failed);
}

/** Says why a file cannot become anything. */
function tell(text: string): void {
    openAskSheet({ title: l10n.t('Import files'), text, label: l10n.t('Close'), act: async () => undefined });
}

/** Makes of a file what it holds, or says why not. */
async function importFile(target: Target, file: File): Promise<string | undefined> {
    const { client, scope, announce } = target;
    const [, name = '', ending = ''] = /^(.*?)(\.[a-z]*)?$/u.exec(file.name) ?? [];
    const text = await file.text();
    const format = ending === '.json' ? formatOf(text) : undefined;
    if (format === 'rulelang-project') {
        const { new_project_id: id } = await client.importProject({ body: { export_data: new JsonText(text), scope } });
        announce(l10n.t("'{0}' is imported.", file.name));
        target.goToProject?.({ scope, id });
        return undefined;
    }
    if (format === 'rulelang-workspace') {
        await client.importWorkspace({ body: { export_data: new JsonText(text), scope } });
        return undefined;
    }
    const type = ending === '.rulelang' ? 'logic' : ending === '.sql' ? 'sql' : undefined;
    if (type === undefined) return l10n.t("'{0}' is no rules (.rulelang), SQL (.sql) or exported project (.json).", file.name);
    if (target.project === undefined) return l10n.t("Choose the project that '{0}' goes to.", file.name);
    return importConcept({ ...target, project: target.project }, type, name, text);
}

/** Rules say themselves what they are called; a concept that is there already is replaced once that is wished. */
async function importConcept(
    target: Target & Pick<PageHost, 'project'>,
    type: 'logic' | 'sql',
    stem: string,
    definition: string,
): Promise<string | undefined> {
    const { client, scope, project, refresh } = target;
    const path = { project_id: project.id };
    const taken = (await client.listConcepts({ path, query: { scope } })).map(({ concept_name }) => concept_name);
    if (type === 'sql') {
        const concept_name = unusedName(stem.replaceAll(/\W/gu, '_').replace(/^(?=\d|$)/u, '_'), taken);
        await client.saveConcept({ path, body: { scope, concept_type: type, concept_name, definition } });
        return undefined;
    }
    const { headPredicates } = await client.analyze({ body: { program: definition } });
    const there = taken.filter(name => headPredicates.includes(name));
    const save = async (): Promise<void> => void (await client.saveConcept({ path, body: { scope, definition } }));
    if (there.length === 0) {
        await save();
        return undefined;
    }
    const [first = ''] = there;
    openAskSheet({
        title: l10n.t("Replace the definition of '{0}'?", there.join(', ')),
        text: l10n.t('There is a concept of this name'),
        label: l10n.t('Replace'),
        async act() {
            const unsaved = draftComplaint({ scope, project: project.id, concept: first });
            if (unsaved !== undefined) return unsaved;
            await save();
            refresh();
            return undefined;
        },
    });
    return undefined;
}

function formatOf(text: string): unknown {
    try {
        return (JSON.parse(text) as { readonly format?: unknown } | null)?.format;
    } catch {
        return undefined;
    }
}
