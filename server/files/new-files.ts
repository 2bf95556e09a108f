import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from './error-code.ts';

/** Writes files that are not there yet below a folder, all or none; answers the first path of those that are there already. */
export function writeNewFiles(folder: string, files: ReadonlyMap<string, string>): string | undefined {
    for (const path of files.keys()) if (fs.existsSync(join(folder, path))) return path;
    for (const [path, text] of files) {
        const whole = join(folder, path);
        try {
            fs.mkdirSync(dirname(whole), { recursive: true });
            fs.writeFileSync(whole, text, { flag: 'wx' });
        } catch (error) {
            if (errorCode(error) === 'EEXIST') return path;
            throw error;
        }
    }
    return undefined;
}
