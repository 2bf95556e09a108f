import { resolve } from 'node:path';
import { say } from '#language/program/say.ts';
import { nodeFiles } from '#server/files/open-granted.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import { shownPath } from '#server/files/shown-path.ts';
import type { RunJob } from '#server/protocol/jobs.ts';

const ENDING = '.rulelang';

/**
 * The program that a run means, or why it means none: a folder means the one program that its project names, and the name of a missing file
 * the program `name.rulelang`.
 */
export function projectProgram({ file, text, currentFolder }: Pick<RunJob, 'file' | 'text' | 'currentFolder'>): {
    readonly file?: string;
    readonly refusal?: string;
} {
    const path = resolve(currentFolder, file);
    if (text !== undefined) return { file };
    const found = nodeFiles.statSync(path, { throwIfNoEntry: false });
    if (found === undefined && nodeFiles.statSync(`${path}${ENDING}`, { throwIfNoEntry: false })?.isFile() === true)
        return { file: `${file}${ENDING}` };
    if (found?.isDirectory() !== true) return { file };
    const { programs, found: project } = projectSettings(path);
    const named = project === undefined ? [] : programs.map(program => shownPath(resolve(project.folder, program.text), currentFolder));
    const [only] = named;
    if (only !== undefined && named.length === 1) return { file: only };
    if (only === undefined) return { refusal: say`rulelang run: name the program to run, or let 'programs' in rulelang.json name it` };
    return { refusal: say`rulelang run: name the program to run, one of ${named.join(', ')}` };
}
