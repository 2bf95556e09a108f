import { type ReportContext, stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import type { Grants } from '#server/files/grants.ts';

/** The text of a secret that the run may use; RT063 where it may not, or where there is none of this name. */
export function secretText(name: string, { secrets, grantSecret }: Grants, context: ReportContext): string {
    const shown = `\${${name}}`;
    if (!secrets?.has(name))
        stop('RT063', context, shown, grantSecret?.(name) ?? say`no parameter has this name, and no secret is used here`);
    const secret = secrets.get(name) ?? stop('RT063', context, shown, say`the environment has no variable of this name`);
    return secret.open();
}
