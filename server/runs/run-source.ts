import { findGivenModules } from '#language/modules/given-modules.ts';
import { withModules } from '#language/modules/include.ts';
import { readProgram } from '#language/read-program.ts';
import { serviceGrants } from '#server/files/grants.ts';
import type { ProgramRun } from '#server/protocol/run-process.ts';
import { secretsNamed } from '#server/secrets/secret.ts';
import { editorGrants } from '#server/workspace/editor-grants.ts';
import type { ProgramSource } from './load-program.ts';
import { findRunModules } from './run-modules.ts';

/** The program that an editor or a service sends to a run process; a service sends its modules with it. */
export function runSource(run: ProgramRun, read = readProgram): ProgramSource {
    const { text, file, modules, otherPrograms, currentFolder, roots, writeFiles, hosts, secrets = [], logins, folders, parameters } = run;
    const texts = new Map(modules.files.map(module => [module.file, module.text]));
    return {
        file,
        text,
        read,
        linked: program =>
            withModules(program, otherPrograms === undefined ? findRunModules(modules, program, read) : findGivenModules(otherPrograms)),
        textOf: name => texts.get(name),
        grants:
            folders === undefined
                ? editorGrants({ roots, writeFiles, hosts, secrets: secretsNamed(secrets, process.env), logins })
                : serviceGrants(folders),
        currentFolder,
        parameters,
    };
}
