import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The pages that sections of the documentation link, and what they show: files that the build put beside the program. */
export interface DocumentationPages {
    /** The file of a path such as `/docs/language` or `/docs/images/page-light.png`; undefined where there is none. */
    read(path: string): Promise<PageFile | undefined>;
}

export interface PageFile {
    readonly type: string;
    readonly bytes: Uint8Array;
}

const TYPES: Readonly<Record<string, string>> = {
    '.html': 'text/html; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.png': 'image/png',
    '.svg': 'image/svg+xml',
    '.json': 'application/json; charset=utf-8',
    '.yml': 'text/plain; charset=utf-8',
};

/** Only what the build made is served, by the names that it gave. */
export function documentationPages(): DocumentationPages {
    const folder = fileURLToPath(new URL('./documentation', import.meta.url));
    const names = fs.existsSync(folder) ? (fs.readdirSync(folder, { recursive: true }) as string[]) : [];
    const files = new Map(names.map(name => [`/docs/${name.replaceAll('\\', '/').replace(/\.html$/u, '')}`, name]));
    return {
        async read(asked) {
            const name = files.get(asked === '/docs' || asked === '/docs/' ? '/docs/README' : asked);
            const type = name && TYPES[path.extname(name)];
            if (name === undefined || type === undefined) return undefined;
            return { type, bytes: await fs.promises.readFile(path.join(folder, name)) };
        },
    };
}
