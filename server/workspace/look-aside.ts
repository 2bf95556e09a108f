import type { Bind, Parameter } from '#language/program/analysed-program.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import { missingSource, peekSource, refusedQuery, toldRefused } from '#server/sources/connectors.ts';
import { editorGrants } from './editor-grants.ts';
import { filePath } from './folders.ts';
import type { Answer } from './source-columns.ts';

/** A bind that asks its files with a query, and what it may reach, as plain data. */
export interface FileQuestion {
    readonly bind: Bind;
    readonly parameters: ReadonlyMap<string, Parameter>;
    readonly programFile: string;
    readonly roots: readonly string[];
    readonly currentFolder: string;
}

/** The columns that a query gives over its files, that they are not there, or why a run would end at it. It loads what answers queries. */
export async function answerOfFiles({ bind, parameters, roots, ...places }: FileQuestion): Promise<Omit<Answer, 'target'>> {
    const access = {
        ...places,
        grants: editorGrants({ roots }),
        pathOf: filePath,
        parameters: parameterTexts(parameters, new Map()),
    };
    const schema = await peekSource(bind, access);
    if (schema !== undefined) return { schema };
    const missing = await missingSource(bind, access);
    if (missing !== undefined) return { missing };
    const refused = await refusedQuery(bind, access);
    return refused === undefined ? {} : { refused: toldRefused(refused) };
}
