import { stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { commandLineGrants } from '#server/files/grants.ts';
import type { ProjectSettings } from '#server/files/project-settings.ts';
import type { RunJob } from '#server/protocol/jobs.ts';
import { unmetNeeds, unmetReason } from './unmet-needs.ts';

type Granting = Pick<RunJob, 'currentFolder' | 'allowRead' | 'allowWrite' | 'allowNet' | 'noWrite' | 'secrets' | 'python' | 'modelCalls'>;

/** Ends the run with RT063 if the project needs access that the user has not granted. */
export function checkNeeds(project: ProjectSettings, program: string, job: Granting): void {
    const { found } = project;
    if (found === undefined) return;
    const { currentFolder, allowRead, allowWrite, allowNet, noWrite, secrets, python, modelCalls } = job;
    const grants = commandLineGrants({ program, current: currentFolder, allowRead, allowWrite, ...(noWrite && { noWrite }) });
    const [first] = unmetNeeds(project, {
        grants,
        currentFolder,
        hosts: allowNet,
        secrets,
        python: python.enabled,
        model: modelCalls !== undefined,
        grantBy: {
            net: host => say`add --allow-net ${host}`,
            secret: name => say`add --secret ${name}, and it is taken from the environment`,
            python: say`add --allow-python`,
            model: say`add --allow-model`,
        },
    });
    if (first !== undefined) stop('RT063', {}, first.what, unmetReason(first, found.path));
}
