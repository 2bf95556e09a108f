import { dirname, resolve } from 'node:path';
import type { Module } from '#language/program/inclusion.ts';
import { commandLineGrants } from '#server/files/grants.ts';
import { flavourOf, isInside } from '#server/files/path-rule.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import { shownPath } from '#server/files/shown-path.ts';
import type { Access } from '#server/protocol/jobs.ts';
import { secretsNamed } from '#server/secrets/secret.ts';
import { linkProgram } from '#server/workspace/link-program.ts';
import { type ProgramFile, programIndex } from '#server/workspace/program-index.ts';
import type { ProgramSource } from './load-program.ts';

/** Bytes of a module at most. */
const LARGEST = 256 * 1024 * 1024;

/**
 * A text as if it stood in a file, for the command line: its modules are in files below its folder and the current folder. `known`
 * remembers files that were read, for other programs of the same job.
 */
export function fileSource(
    text: string,
    file: string,
    { currentFolder, allowRead, allowWrite, noWrite, allowNet, secrets }: Access,
    parameters: ReadonlyMap<string, unknown>,
    known?: Map<string, ProgramFile>,
): ProgramSource {
    const folder = dirname(resolve(currentFolder, file));
    const grants = commandLineGrants({
        program: folder,
        current: currentFolder,
        allowRead,
        allowWrite,
        ...(noWrite && { noWrite }),
        hosts: allowNet,
        secrets: secretsNamed(secrets, process.env),
    });
    const isGranted = (path: string): boolean =>
        grants.readRoots.some(root => isInside(resolve(currentFolder, root), path, flavourOf(process.platform)));
    const { roots, found } = projectSettings(folder);
    const searched = found === undefined ? [] : roots.map(({ text: root }) => resolve(found.folder, root));
    let own: Module[] = [];
    const index = programIndex({
        roots: () => [...new Set([folder, currentFolder, ...searched.filter(isGranted)])],
        grants: () => grants,
        largest: () => LARGEST,
        nameOf: other => shownPath(other, currentFolder),
        pathOf: name => resolve(currentFolder, name),
        shown: other => shownPath(other, currentFolder),
        held: () => own,
        version: 0,
        ...(known !== undefined && { known }),
    });
    return {
        file,
        text,
        linked: program => {
            own = [{ file, clauses: program.clauses, problems: [] }];
            return linkProgram(program, index);
        },
        textOf: name => index.file(name)?.text,
        grants,
        currentFolder,
        parameters,
    };
}
