import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { openNamed } from '#server/files/open-granted.ts';
import { privateFile } from '#server/files/write-granted.ts';
import { isRunModules, type ProgramRun, type RunInputs, type SourceState } from '#server/protocol/run-process.ts';
import { namesSecret } from '#server/protocol/secret-names.ts';
import { isText, listOf, type Of, object, optional } from '#server/protocol/shape.ts';
import { namingSecrets } from '#server/secrets/without-secrets.ts';

/** The program of a run, with its modules, as it is kept: secrets of its binds are named and not told. */
const isKeptProgram = object({
    text: isText,
    file: isText,
    currentFolder: isText,
    modules: isRunModules,
    predicates: optional(listOf(isText)),
});
export type KeptProgram = Of<typeof isKeptProgram>;

const ENDING = '.program';

export function keptProgram({ text, file, currentFolder, modules, predicates }: ProgramRun): KeptProgram {
    return {
        text: namingSecrets(text),
        file,
        currentFolder,
        modules: { ...modules, files: modules.files.map(module => ({ ...module, text: namingSecrets(module.text) })) },
        ...(predicates !== undefined && { predicates }),
    };
}

/** Returns the inputs of a run without parameters that are secrets. */
export function runInputs(
    program: KeptProgram,
    given: ReadonlyMap<string, unknown>,
    secrets: ReadonlySet<string>,
    sources: readonly SourceState[],
): RunInputs {
    const plain = [...given].filter(([name]) => !secrets.has(name) && !namesSecret(name));
    return { program: digestOf(program), given: Object.fromEntries(plain), sources };
}

/** Writes a program beside the rows of a run, in a file that all runs of it share; answers its bytes. */
export function keepProgram(rows: string, program: KeptProgram, announce: (temporary: string, exists: boolean) => void): number {
    const bytes = new TextEncoder().encode(JSON.stringify(program));
    const file = privateFile(pathOf(rows, digestOf(program)), temporary => announce(temporary, true));
    try {
        file.write(bytes);
        file.finish();
        file.commit();
    } finally {
        file.discard();
        announce(file.temporary, false);
    }
    return bytes.length;
}

/** The program beside the rows of a run, undefined where it is not kept, or damaged. */
export function readProgramBeside(rows: string, { program: digest }: RunInputs): KeptProgram | undefined {
    try {
        const opened = openNamed(pathOf(rows, digest));
        try {
            const bytes = new Uint8Array(opened.size);
            const program: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(0, opened.read(bytes))));
            return isKeptProgram(program) && digestOf(program) === digest ? program : undefined;
        } finally {
            opened.close();
        }
    } catch {
        return undefined;
    }
}

function digestOf(program: KeptProgram): string {
    return createHash('sha256').update(JSON.stringify(program)).digest('hex');
}

function pathOf(rows: string, digest: string): string {
    return join(dirname(rows), `${digest}${ENDING}`);
}
