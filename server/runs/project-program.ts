import { resolve } from 'node:path';
import { say } from '#language/program/say.ts';
import { nodeFiles } from '#server/files/open-granted.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import { shownPath } from '#server/files/shown-path.ts';
import type { RunJob } from '#server/protocol/jobs.ts';

/** The program that a run means, or why it means none: a folder means the one program that its project names. */
export function projectProgram({ file, text, currentFolder }: Pick<RunJob, 'file' | 'text' | 'currentFolder'>): {
    readonly file?: string;
    readonly refusal?: string;
} {
    const path = resolve(currentFolder, file);
    if (text !== undefined || nodeFiles.statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return { file };
    const { programs, found } = projectSettings(path);
    const named = found === undefined ? [] : programs.map(program => shownPath(resolve(found.folder, program.text), currentFolder));
    const [only] = named;
    if (only !== undefined && named.length === 1) return { file: only };
    if (only === undefined) return { refusal: say`rulelang run: name the program to run, or let 'programs' in rulelang.json name it` };
    return { refusal: say`rulelang run: name the program to run, one of ${named.join(', ')}` };
}
