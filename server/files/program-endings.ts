import { isNotebook } from '#language/program/notebook-files.ts';

export const EXTENSION = '.rulelang';

/** Whether a file of this name holds a program: rules alone, or a notebook. */
export function isProgramFile(name: string): boolean {
    return name.endsWith(EXTENSION) || isNotebook(name);
}
