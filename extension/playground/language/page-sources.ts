import { placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { bindKey } from '#language/analysis/binds.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import type { AnalysisOptions, MissingFile, RefusedBind } from '#language/analysis/program-facts.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import { scriptEngine } from '#server/browser/script-engine.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { missingSource, peekSource, refusedBind, toldRefused, verifiedBinds } from '#server/sources/connectors.ts';
import { editorGrants } from '#server/workspace/editor-grants.ts';

/** Columns of the page's files for a program, each looked up once until they change. */
export interface PageSources {
    known(): AnalysisOptions;
    /** Looks at what a program reads and writes; whether that told something new. */
    look(document: OpenDocument): Promise<boolean>;
    forget(): void;
}

export function pageSources(): PageSources {
    const schemas = new Map<string, SourceSchema>();
    const missingFiles = new Map<string, MissingFile>();
    const refusedBinds = new Map<string, RefusedBind>();
    const asked = new Set<string>();
    const { unavailable } = scriptEngine();
    return {
        known: () => ({
            schemas: new Map(schemas),
            missingFiles: new Map(missingFiles),
            refusedBinds: new Map(refusedBinds),
            scripts: { unavailable },
        }),
        async look({ analysed }) {
            const access = accessOf(analysed);
            let isNew = false;
            for (const bind of [...verifiedBinds(analysed), ...analysed.schemaNeeds]) {
                const key = bindKey(bind);
                if (asked.has(key)) continue;
                asked.add(key);
                const refused = refusedBind(bind, access);
                const isRead = refused === undefined && bind.direction === 'input';
                const schema = isRead ? await peekSource(bind, access) : undefined;
                const missing = isRead && schema === undefined ? await missingSource(bind, access) : undefined;
                if (refused !== undefined) refusedBinds.set(key, toldRefused(refused));
                if (schema !== undefined) schemas.set(key, schema);
                if (missing !== undefined) missingFiles.set(key, missing);
                isNew ||= (refused ?? schema ?? missing) !== undefined;
            }
            return isNew;
        },
        forget() {
            for (const known of [schemas, missingFiles, refusedBinds, asked]) known.clear();
        },
    };
}

function accessOf({ program }: OpenDocument['analysed']): SourceAccess {
    return {
        grants: editorGrants({ roots: ['/'] }),
        programFile: program.file,
        pathOf: path => path,
        currentFolder: '/',
        parameters: parameterTexts(declaredParameters(placedAnnotations(program)), new Map()),
    };
}
