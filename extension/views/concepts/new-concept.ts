import { l10n, type QuickPickItem, window } from 'vscode';
import { placeOf } from '#extension/projects/projects.ts';
import { beginning, type ConceptKind } from '#extension/surfaces/platform/beginning.ts';
import { unusedName } from '#extension/surfaces/platform/saved-body.ts';
import { askName, type ConceptCommand, namesIn, open, save, withProject } from './concept-work.ts';

export const newConcept: ConceptCommand = (work, node) =>
    withProject(work, node, async (connection, project) => {
        const kinds: readonly (QuickPickItem & { readonly of: ConceptKind })[] = [
            { label: l10n.t('Rules'), description: l10n.t('rows derived from other concepts and data'), of: 'logic' },
            { label: 'SQL', description: l10n.t('a query over other concepts'), of: 'sql' },
            { label: l10n.t('Python'), description: l10n.t('a script that computes rows'), of: 'python' },
        ];
        const kind = await window.showQuickPick(kinds, { title: l10n.t('New concept: what is it made of?'), ignoreFocusOut: true });
        const taken = await namesIn(work, placeOf(project));
        const name = kind && (await askName(l10n.t('New concept'), unusedName('concept', taken), taken));
        if (kind === undefined || name === undefined) return 'nothing to do';
        const inGroup = node?.kind === 'group' ? { group: node.group } : {};
        return open(work, await save(connection, placeOf(project), { ...beginning(kind.of, name), ...inGroup }));
    });
