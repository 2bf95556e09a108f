import { bindKey } from '#language/analysis/binds.ts';
import type { MissingFile } from '#language/analysis/program-facts.ts';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import { otherDelimiter } from '#language/library/data-sources.ts';
import { findModules, modulesAmong } from '#language/modules/find-module.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import { readQuery } from '#language/sql/read-query.ts';

/** How the examples of problems are called. */
export const EXAMPLE_FILE = 'example.rulelang';

function schemaOf(header: readonly string[]): SourceSchema {
    const columns = header.map(name => ({ name }));
    const delimiter = otherDelimiter(header);
    return delimiter === undefined ? { columns } : { columns, delimiter };
}

/** The example of a problem, or a text in its place, beside its modules and sources. */
export function exampleDocument(
    text: string,
    { modules = {}, sources = {}, missing = {}, scripts: names }: Pick<ProblemEntry, 'modules' | 'sources' | 'missing' | 'scripts'>,
): OpenDocument {
    const scripts = names && {
        unavailable: { reason: say`Python is switched off`, remedy: '' },
        isThere: (script: string) => names.includes(script),
    };
    const schemas = new Map(Object.entries(sources).map(([name, header]) => [name, schemaOf(header)]));
    const read = Object.entries({ ...modules, [EXAMPLE_FILE]: text }).map(([file, content]) => {
        const { value, problems } = readProgram(content, file);
        return { file, clauses: value.clauses, problems };
    });
    const open = (missingFiles: ReadonlyMap<string, MissingFile>): OpenDocument =>
        openDocument(
            text,
            EXAMPLE_FILE,
            { schemas, missingFiles, sql: readQuery, ...(scripts && { scripts }) },
            findModules(modulesAmong(read)),
        );
    const document = open(new Map());
    const absent = document.analysed.schemaNeeds.flatMap(bind => {
        const file = missing[bind.inner];
        return file === undefined ? [] : [[bindKey(bind), file] as const];
    });
    return absent.length === 0 ? document : open(new Map(absent));
}
