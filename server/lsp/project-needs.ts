import { dirname } from 'node:path';
import { say } from '#language/program/say.ts';
import { type ProjectSettings, projectSettings } from '#server/files/project-settings.ts';
import { hostGrant } from '#server/protocol/host-grant.ts';
import { loginHosts } from '#server/protocol/login.ts';
import { type UnmetNeed, unmetNeeds, unmetReason } from '#server/runs/unmet-needs.ts';
import { editorGrants } from '#server/workspace/editor-grants.ts';
import type { LanguageServer } from './language-server.ts';
import { pythonOf } from './python-of.ts';

type Editor = Pick<LanguageServer, 'folders' | 'options' | 'connected'>;

/** The needs of a project that the user of an editor has not granted. */
export function editorNeeds(project: ProjectSettings, { folders, options, connected }: Editor): readonly UnmetNeed[] {
    const { allowNet = [], secrets = [], model } = options;
    const { grantHost, grantSecret, ...grants } = editorGrants({ roots: folders.roots() });
    const found = unmetNeeds(project, {
        grants,
        currentFolder: folders.roots()[0] ?? '.',
        hosts: [...allowNet.flatMap(text => hostGrant(text) ?? []), ...loginHosts(connected.logins)],
        secrets,
        python: pythonOf(options).enabled,
        model: model?.never !== true,
        grantBy: {
            net: grantHost,
            secret: grantSecret,
            python: say`switch on the setting rulelang.python.enabled`,
            model: say`give the setting rulelang.model.samples another value than 'never'`,
        },
    });
    return [...found];
}

/** Why a run of a program ends before it begins: what its project needs, and what would grant it. */
export function refusedNeed(file: string, editor: Editor): { readonly what: string; readonly reason: string } | undefined {
    const project = projectSettings(dirname(file), editor.folders.around(file));
    const [need] = project.found === undefined ? [] : editorNeeds(project, editor);
    return need && project.found && { what: need.what, reason: unmetReason(need, project.found.path) };
}
