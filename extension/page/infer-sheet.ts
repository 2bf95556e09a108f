import type { Source } from '#extension/sources/source.ts';
import { isFileType } from '#extension/sources/source-kinds.ts';
import { databaseOf } from '#extension/sources/source-place.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { unusedName } from '#extension/surfaces/platform/saved-body.ts';
import { nameComplaint } from './concept-name.ts';
import { openDefinition } from './concepts-section.ts';
import { openFormSheet } from './form-sheet.ts';
import { loginFields } from './login-fields.ts';
import { renamedRules } from './renamed-rules.ts';
import { hasProject, type ServicesHost } from './section.ts';

/** Has a program written that reads sources, which is looked at before it becomes a concept. */
export function openInferSheet(host: ServicesHost, sources: readonly [Source, ...Source[]]): void {
    const [{ database_name: name, database_type: type }] = sources;
    const isFile = isFileType(type);
    let program: string | undefined;
    openFormSheet({
        title: l10n.t('Infer a program from {0}', name),
        text: l10n.t('The services write rules from the names and types of its tables. Nothing is kept until you save it.'),
        fields: () => (isFile ? [] : loginFields().filter(field => field.name !== 'keeps')),
        label: l10n.t('Infer'),
        async act({ username = '', password = '' }, signal) {
            const database = databaseOf(sources, { username, password });
            program = await host.client.inferSchema({ body: { database, addModel: true, addOutput: true } }, signal);
            return undefined;
        },
        closed() {
            if (program !== undefined) void openProgram(host, name, program).catch(host.failed);
        },
    });
}

/** The program, to be read and changed; it becomes a concept of the chosen project. */
async function openProgram(host: ServicesHost, source: string, program: string): Promise<void> {
    const title = l10n.t('A program that reads {0}', source);
    const text = { name: 'program', label: l10n.t('Program'), kind: 'program', value: program } as const;
    const copy = {
        label: l10n.t('Copy'),
        async act({ program: written = '' }: Readonly<Record<string, string>>) {
            await navigator.clipboard.writeText(written);
            return l10n.t('The program is copied.');
        },
    };
    if (!hasProject(host)) {
        openFormSheet({ title, fields: () => [text], other: copy, isWide: true });
        return;
    }
    const { client, project, scope } = host;
    const path = { project_id: project.id };
    const [concepts, { headPredicates }] = await Promise.all([
        client.listConcepts({ path, query: { scope } }),
        client.analyze({ body: { program } }),
    ]);
    const taken = concepts.map(({ concept_name }) => concept_name);
    const likely = headPredicates.at(-1) ?? 'concept';
    openFormSheet({
        title,
        text: l10n.t("It can become a concept of '{0}'.", project.name),
        fields: () => [
            {
                name: 'concept',
                label: l10n.t('Name of the concept'),
                value: unusedName(likely, taken),
                complaint: written => nameComplaint(written, taken),
            },
            text,
        ],
        label: l10n.t('Save as a new concept'),
        other: copy,
        isWide: true,
        async act({ concept = '', program: written = '' }) {
            const heads = (await client.analyze({ body: { program: written } })).headPredicates;
            const from = heads.includes(likely) ? likely : heads.at(-1);
            const definition = from === undefined || heads.includes(concept) ? written : await renamedRules(written, from, concept);
            if (definition === null) return l10n.t("The rules of '{0}' cannot be called '{1}': choose another name.", from ?? '', concept);
            await client.saveConcept({ path, body: { scope, concept_name: concept, definition } });
            openDefinition(host, concept);
            return undefined;
        },
    });
}
