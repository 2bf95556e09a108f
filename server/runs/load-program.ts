import { dirname, resolve } from 'node:path';
import { analyse } from '#language/analysis/analyse.ts';
import { placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { bindKey } from '#language/analysis/binds.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import type { AnalysedProgram, SourceSchema } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { readProgram } from '#language/read-program.ts';
import { readNamedText } from '#server/files/named-text.ts';
import type { Access } from '#server/protocol/jobs.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import { type FileAccess, peekSource } from '#server/sources/file-connectors.ts';
import { commandLineGrants } from '#server/sources/grants.ts';
import { type SourceText, sourceText } from '#server/terminal/source-texts.ts';

/** A program file, read and analysed with the columns that its sources show. */
export interface LoadedProgram {
    readonly file: string;
    readonly source: SourceText;
    readonly program: AnalysedProgram;
    /** Of all stages, in text order. */
    readonly problems: readonly Problem[];
    readonly access: FileAccess;
}

/** Analysis asks for columns, and an answer can only raise further questions about other binds. */
const ROUNDS = 4;

/** Reads and analyses a file that the user named; RT064 where it cannot be read. */
export function loadProgram(
    file: string,
    { currentFolder, allowRead, allowWrite }: Access,
    given: ReadonlyMap<string, unknown>,
): LoadedProgram {
    const { text } = readNamedText(file);
    const read = readProgram(text, file);
    const declared = declaredParameters(placedAnnotations(read.value));
    const access: FileAccess = {
        grants: commandLineGrants({ program: dirname(resolve(currentFolder, file)), current: currentFolder, allowRead, allowWrite }),
        programFile: file,
        currentFolder,
        parameters: parameterTexts(declared, given),
    };
    const schemas = new Map<string, SourceSchema>();
    const asked = new Set<string>();
    const suppliedParameters = new Set(given.keys());
    let program = analyse(read.value, { schemas, suppliedParameters });
    for (let round = 0; round < ROUNDS; round++) {
        const open = program.schemaNeeds.filter(bind => !asked.has(bindKey(bind)));
        for (const bind of open) {
            asked.add(bindKey(bind));
            const schema = peekSource(bind, access);
            if (schema !== undefined) schemas.set(bindKey(bind), schema);
        }
        if (open.length === 0) break;
        program = analyse(read.value, { schemas, suppliedParameters });
    }
    const problems = [...read.problems, ...program.problems].sort((a, b) => offsetOf(a) - offsetOf(b));
    return { file, source: sourceText(text), program, problems, access };
}

function offsetOf({ place, span }: Problem): number {
    return place.offset + span.start;
}
