import type { Source } from '#extension/sources/source.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { draftComplaint } from '#extension/surfaces/platform/concept-drafts.ts';
import { bodyOf, unusedName } from '#extension/surfaces/platform/saved-body.ts';
import { nameComplaint } from './concept-name.ts';
import { openDefinition } from './concepts-section.ts';
import { openFormSheet, type SheetField } from './form-sheet.ts';
import type { PageHost } from './section.ts';

/** Asks which rules are to read a table, and puts its bind before them; new ones hand its rows on. */
export async function openBindSheet(host: PageHost, { id, name: table, columns }: Source): Promise<void> {
    const { client, project, scope } = host;
    const path = { project_id: project.id };
    const clausesFor = async (program: string): Promise<string> =>
        (await client.writeBinds({ body: { source_ids: [id], program } })).clauses;
    const [concepts, clauses] = await Promise.all([client.listConcepts({ path, query: { scope } }), clausesFor('')]);
    const { binds } = await client.parseBinds({ body: { program: clauses } });
    const predicate = binds.input[0]?.predicate ?? table;
    const taken = [predicate, ...concepts.map(({ concept_name }) => concept_name)];
    const rules = concepts.filter(({ concept_type: type }) => type === 'logic');
    const fresh: SheetField = {
        name: 'name',
        label: l10n.t('Name'),
        value: unusedName(`${predicate}_rows`, taken),
        complaint: text => nameComplaint(text, taken),
    };
    openFormSheet({
        title: l10n.t('Insert the bind of {0}', table),
        fields: ({ concept = '' }) => [
            {
                name: 'concept',
                label: l10n.t('Concept'),
                kind: 'choice',
                choices: [
                    { value: '', label: l10n.t('New concept') },
                    ...rules.map(({ concept_name: value }) => ({ value, label: value })),
                ],
            },
            ...(concept === '' ? [fresh] : []),
        ],
        label: l10n.t('Insert'),
        async act({ concept: chosen = '', name = '' }) {
            const found = rules.find(({ concept_name }) => concept_name === chosen);
            if (found === undefined) {
                const definition = `${clauses}${handedOn(name, predicate, columns)}`;
                await client.saveConcept({ path, body: { scope, concept_name: name, definition } });
            } else {
                const unsaved = draftComplaint({ scope, project: project.id, concept: chosen });
                if (unsaved !== undefined) return unsaved;
                const missing = await clausesFor(found.definition);
                if (missing === '') return l10n.t('The bind is in the program already.');
                const definition = `${missing}${found.definition}`;
                await client.saveConcept({ path, body: { ...bodyOf(found), scope, existing_name: chosen, definition } });
            }
            openDefinition(host, found === undefined ? name : chosen);
            return undefined;
        },
    });
}

/** A rule that has the rows of a table as they are, with variables called as its columns. */
function handedOn(name: string, predicate: string, columns: Source['columns']): string {
    const wanted = columns.map(column => column.name.replaceAll(/\W/gu, '_').replace(/^[a-z]/u, first => first.toUpperCase()));
    const isPlain = wanted.every(one => /^[A-Z]\w*$/u.test(one)) && new Set(wanted).size === wanted.length;
    const variables = (isPlain ? wanted : columns.map((_, at) => `C${at + 1}`)).join(', ');
    return `${name}(${variables}) <- ${predicate}(${variables}).\n@output("${name}").\n`;
}
