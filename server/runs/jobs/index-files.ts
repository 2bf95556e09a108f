import { isAbsolute, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RunStopped } from '#engine/reports/reports.ts';
import { openDocument } from '#language/document/open-document.ts';
import { findModules, modulesAmong } from '#language/modules/find-module.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import { programFiles } from '#server/files/program-files.ts';
import { readProgramText } from '#server/files/program-text.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { visible } from '#server/notices/visible-text.ts';
import { EXIT } from '#server/protocol/jobs.ts';
import { scipIndex } from '#server/scip/scip-index.ts';
import { hasSql, loadSqlReader } from '#server/workspace/sql-reader.ts';
import type { JobContext } from '../job-context.ts';
import { sayNotices } from '../say-notices.ts';
import { writeNamed } from '../write-named.ts';

export interface IndexJob {
    readonly kind: 'index';
    /** Files, folders and patterns. */
    readonly paths: readonly string[];
    /** The file that is written. */
    readonly scip: string;
    readonly currentFolder: string;
}

declare const RULELANG_VERSION: string;

/** Writes an index of programs below the current folder. A file that cannot be read, or is not below it, does not stop the others. */
export async function indexFiles({ paths, scip, currentFolder }: IndexJob, context: JobContext): Promise<number> {
    const texts = new Map<string, string>();
    let failed = false;
    for (const path of paths) {
        try {
            for (const file of programFiles([path])) {
                const below = relative(currentFolder, resolve(currentFolder, file)).replaceAll('\\', '/');
                if (below.startsWith('../') || isAbsolute(below)) {
                    context.say(say`rulelang index: '${visible(file)}' is not below the current folder, and left out\n`);
                    failed = true;
                } else texts.set(below, readProgramText(file).text);
            }
        } catch (error) {
            if (!(error instanceof RunStopped)) throw error;
            sayNotices([reportNotice(error.report)], context);
            failed = true;
        }
    }
    const modules = [...texts].map(([file, text]) => ({ file, clauses: readProgram(text, file).value.clauses, problems: [] }));
    const find = findModules(modulesAmong(modules));
    const sql = modules.some(hasSql) ? await loadSqlReader() : undefined;
    const documents = [...texts].map(([file, text]) => openDocument(text, file, { ...(sql && { sql }) }, find));
    writeNamed(scip, scipIndex(documents, { rootUri: pathToFileURL(currentFolder).href, version: RULELANG_VERSION }), context);
    context.say(say`Wrote an index to ${visible(scip)}. Programs: ${countText(documents.length)}\n`);
    return failed ? EXIT.failed : EXIT.fine;
}
