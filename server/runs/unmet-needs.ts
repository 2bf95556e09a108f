import { resolve } from 'node:path';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import type { Grants } from '#server/files/grants.ts';
import { flavourOf, isInside } from '#server/files/path-rule.ts';
import type { ProjectSettings } from '#server/files/project-settings.ts';
import { type HostGrant, hostGrant } from '#server/protocol/host-grant.ts';

/** A need that a project declares for its programs, and that the user has not granted. */
export interface UnmetNeed {
    readonly what: string;
    /** Says how to grant it. */
    readonly remedy: string;
    /** The place in the file. */
    readonly span: Span;
}

/** The access of runs. */
export interface Granted {
    readonly grants: Pick<Grants, 'readRoots' | 'writeRoots' | 'grantBy'>;
    /** The folder from which these roots are. */
    readonly currentFolder: string;
    readonly hosts: readonly HostGrant[];
    readonly secrets: readonly string[];
    readonly python: boolean;
    readonly model: boolean;
    /** Phrases that grant the other needs. */
    readonly grantBy: {
        readonly net: (host: string) => string;
        readonly secret: (name: string) => string;
        readonly python: string;
        readonly model: string;
    };
}

/** The needs of a project that are not met, in the order of kinds. The file of a project names needs, and grants none. */
export function* unmetNeeds({ needs, roots, found }: ProjectSettings, granted: Granted): Iterable<UnmetNeed> {
    if (found === undefined) return;
    const { grants, currentFolder, hosts, secrets, python, model, grantBy } = granted;
    const flavour = flavourOf(process.platform);
    const isBelow = (folders: readonly string[], path: string): boolean =>
        folders.some(folder => isInside(resolve(currentFolder, folder), resolve(found.folder, path), flavour));
    for (const { text, span } of [...roots, ...needs.read])
        if (!isBelow(grants.readRoots, text)) yield { what: text, remedy: grants.grantBy('read', resolve(found.folder, text)), span };
    for (const { text, span } of needs.write)
        if (!isBelow(grants.writeRoots, text)) yield { what: text, remedy: grants.grantBy('write', resolve(found.folder, text)), span };
    for (const { text, span } of needs.net) {
        const wanted = hostGrant(text);
        const isGranted = hosts.some(({ host, port }) => host === wanted?.host && (port === undefined || port === wanted.port));
        if (!isGranted) yield { what: text, remedy: grantBy.net(text), span };
    }
    for (const { text, span } of needs.secrets) if (!secrets.includes(text)) yield { what: text, remedy: grantBy.secret(text), span };
    if (needs.python !== undefined && !python) yield { what: 'Python', remedy: grantBy.python, span: needs.python };
    if (needs.model !== undefined && !model) yield { what: say`the language model`, remedy: grantBy.model, span: needs.model };
}

/** Why a run ends at a need that is not met. */
export function unmetReason({ remedy }: Pick<UnmetNeed, 'remedy'>, path: string): string {
    return say`${path} says that it is needed; ${remedy}`;
}
