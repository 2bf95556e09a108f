import { join } from 'node:path';
import { nearestName } from '#language/library/nearest-name.ts';
import { countCodePoints } from '#language/program/code-points.ts';
import { printString } from '#language/program/print-constant.ts';
import { say } from '#language/program/say.ts';
import type { TableUse } from '#language/program/sql-reading.ts';
import { type Project, projectAnywhere } from '#server/projects/project.ts';
import { saveConcept } from '#server/projects/save-concept.ts';
import { conceptsOf, readingsOf, type SavedConcept } from '#server/projects/saved-concept.ts';
import { textDiagnostic } from '#server/projects/text-diagnostics.ts';
import { invalidFields, invalidText } from '#server/protocol/platform/api-error.ts';
import type { TRANSLATIONS_ROUTES } from '#server/protocol/platform/routes/translations.ts';
import { modelOf } from '#server/sources/inferred-program.ts';
import { predicateName } from '#server/sources/program-names.ts';
import { type DataDirectory, StoreUnavailable } from '#server/store/data-directory.ts';
import type { Store } from '#server/store/store.ts';
import type { DataFile } from '#server/translate/owl/data.ts';
import type { GivenDocument } from '#server/translate/owl/imports.ts';
import type { OwlProgram } from '#server/translate/owl/program.ts';
import type { KnownTable } from '#server/translate/sql/table-columns.ts';
import type { TextsFor } from '../concept-texts-by.ts';
import { keptColumn } from '../kept-column.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';
import { programWriter } from '../program-writer.ts';
import type { ToolAnswer, ToolQuestion } from '../tool-worker.ts';
import type { Asker } from '../workers.ts';

/** The concept that an ontology is saved as. */
const ONTOLOGY = 'owl_to_rulelang';

/** Translations into programs. What no translator of this version covers is left to a language model. */
export function translationsRoutes(context: PlatformContext, texts: TextsFor): RouteHandlers<keyof typeof TRANSLATIONS_ROUTES> {
    const { store, tools, sources, data, folders } = context;
    const writeProgram = programWriter(context);
    const ask = async (question: ToolQuestion, code: 'sql_invalid' | 'rdf_invalid' | 'owl_invalid', asker: Asker): Promise<ToolAnswer> => {
        const answer = await tools.ask(question, asker);
        if (answer.kind === 'refused') throw invalidText(code, answer.diagnostics);
        return answer;
    };
    /** Lists the possible tables of a query: concepts of the project, else data sources of its scope. */
    const possibleTables = async ({ id, scope }: Project): Promise<PossibleTable[]> => {
        const concepts = (await conceptsOf(store, scope, id)).map(({ name, reading }) => ({ name, columns: reading.columns }));
        const connected = (await sources.list(scope)).map(({ name, columns, bind_annotation: bind }) => {
            const predicate = predicateName(name);
            const origin = `${bind}\n${modelOf(predicate, columns.map(keptColumn))}`;
            return { name: predicate, columns: columns.map(column => column.name), origin };
        });
        return [...concepts, ...connected].filter(({ name }, i, all) => all.findIndex(one => one.name === name) === i);
    };
    /** A concept is called like a predicate that it derives: this one tells which predicates it has. As a module it gives them to others. */
    const saveOntology = async ({ program, predicates }: OwlProgram, { id, scope }: Project, asker: Asker): Promise<SavedConcept> => {
        const own = Object.keys(predicates).map(name => `${ONTOLOGY}(${printString(name)}).\n`);
        const definition = `@module(${printString(ONTOLOGY)}).\n${program}${own.join('')}`;
        const saving = {
            scope,
            projectId: id,
            author: asker.caller.username,
            type: 'logic',
            definition,
            name: ONTOLOGY,
            existingName: undefined,
            parts: {},
        } as const;
        return (await saveConcept(store, texts(asker), saving)).concept;
    };
    return {
        translateText: async ({ path, body: { domain_knowledge: text } }, exchange) => {
            const project = await projectAnywhere(store, path.project_id);
            const { names, tagged } = await conceptsMeant(store, project, text);
            const written = await writeProgram({ kind: 'words', text, concepts: names, project }, exchange);
            return {
                data: {
                    domain_knowledge: text,
                    ...written,
                    project_id: project.id,
                    concepts_used: names,
                    concepts_source: tagged ? 'tagged' : 'all',
                },
            };
        },
        translateSql: async ({ path, body: { sql_data: query } }, exchange) => {
            const project = await projectAnywhere(store, path.project_id);
            const possible = await possibleTables(project);
            const known = possible.flatMap(({ name, columns }) => (columns.length === 0 ? [] : [{ name, columns }]));
            const answer = await ask({ kind: 'translate-sql', query, known }, 'sql_invalid', exchange);
            if (answer.kind !== 'program') throw new TypeError(`SQL was answered with ${answer.kind}`);
            const { text, tables = [] } = answer;
            const written =
                text === undefined
                    ? await writeProgram({ kind: 'sql', text: query, concepts: [], tables: known, project }, exchange)
                    : withOrigins(query, text, tables, possible);
            return { data: { sql_data: query, ...written, project_id: project.id } };
        },
        translateRdf: async ({ path, body }, exchange) => {
            const { id } = await projectAnywhere(store, path.project_id);
            const answer = await ask({ kind: 'translate-rdf', text: body.rdf_data }, 'rdf_invalid', exchange);
            if (answer.kind !== 'program' || answer.text === undefined) throw new TypeError(`RDF was answered with ${answer.kind}`);
            return { data: { rdf_data: body.rdf_data, rulelang_program: answer.text, project_id: id } };
        },
        translateOwl: async ({ path, body }, exchange) => {
            const { owl_content: text, base_namespace: base, data_base_path: dataPath = '', options } = body;
            const project = await projectAnywhere(store, path.project_id);
            const includes = {
                includeSchema: options?.include_schema ?? false,
                includeNotRules: options?.include_not_rules ?? false,
                ...(dataPath.trim() !== '' && { dataFolder: data.pathOf(folderOf(dataPath)) }),
            };
            const imports = options?.include_imports && { documents: givenDocuments(body.imports ?? []), folders };
            const answer = await ask({ kind: 'translate-owl', text, base, includes, ...(imports && { imports }) }, 'owl_invalid', exchange);
            if (answer.kind !== 'owl') throw new TypeError(`OWL was answered with ${answer.kind}`);
            const { predicates, rules, program, counts, unmapped, files } = answer.value;
            const saved = saveFiles(data, folderOf(dataPath), files);
            const concept = body.add_concepts ? await saveOntology(answer.value, project, exchange) : undefined;
            return {
                data: {
                    owl_content_length: countCodePoints(text),
                    base_namespace: base,
                    predicates,
                    rules: [...rules],
                    rulelang_program: program,
                    data_bindings: files.map(({ predicate, annotation }, i) => ({ predicate, path: saved[i] ?? '', annotation })),
                    saved_data_files: saved,
                    metadata: {
                        format: answer.format,
                        ...counts,
                        not_mapped: [...unmapped],
                        ...(imports && { import_errors: [...answer.importErrors] }),
                    },
                    project_id: project.id,
                    concept_id: concept?.id ?? null,
                },
            };
        },
    };
}

/** A table that a query may mean; a connected one with the clauses that read it. */
interface PossibleTable extends KnownTable {
    readonly origin?: string;
}

/** The program of a query with what reads its connected tables, and a problem at each table that is not there. */
function withOrigins(query: string, program: string, tables: readonly TableUse[], possible: readonly PossibleTable[]) {
    const meant = tables.map(({ name, start, end }) => {
        const predicate = predicateName(name);
        const found =
            possible.find(one => one.name === name) ??
            possible.find(one => one.name === predicate || one.name.toLowerCase() === name.toLowerCase());
        return { name, start, end, found };
    });
    const origins = new Set(meant.flatMap(({ found }) => found?.origin ?? []));
    const names = possible.map(({ name }) => name);
    const diagnostics = meant.flatMap(({ name, start, end, found }) =>
        found === undefined ? [textDiagnostic(query, start, end, unknownTable(name, nearestName(name, names)), 'sql')] : [],
    );
    return {
        rulelang_program: origins.size === 0 ? program : `${program}\n${[...origins].join('\n')}\n`,
        ...(diagnostics.length > 0 && { diagnostics }),
    };
}

function unknownTable(name: string, meant: string | undefined): string {
    return meant === undefined
        ? say`'${name}' is neither a concept of the project nor a connected source`
        : say`'${name}' is neither a concept of the project nor a connected source; did you mean '${meant}'?`;
}

/** The concepts that a text is about: those that it names as `@concept`, else all of the project. Sorted. */
async function conceptsMeant(store: Store, { scope, id }: Project, text: string) {
    const all = (await readingsOf(store, scope, id)).map(({ name }) => name).sort();
    const words = new Set(Array.from(text.matchAll(/@([\p{L}\p{N}_]+)/gu), ([, word]) => word));
    const tagged = all.filter(name => words.has(name));
    return { names: tagged.length > 0 ? tagged : all, tagged: tagged.length > 0 };
}

function givenDocuments(imports: readonly { readonly iri?: string; readonly owl_content: string }[]): GivenDocument[] {
    return imports.map(({ iri, owl_content: text }) => ({ text, ...(iri !== undefined && { iri }) }));
}

/** The folder for the data of an ontology, in the data directory. */
function folderOf(dataPath: string): string {
    return join('disk', dataPath);
}

/** Codes of the system if the path itself is wrong. */
const PATH_FAULTS: ReadonlySet<unknown> = new Set(['ENOTDIR', 'EEXIST', 'EISDIR', 'ENAMETOOLONG', 'ELOOP']);

/** Writes the files into a folder of the data directory, and gives their paths. */
function saveFiles(data: DataDirectory, folder: string, files: readonly DataFile[]): string[] {
    try {
        for (const { name, bytes } of files) data.write(join(folder, name), bytes);
    } catch (error) {
        const cause = error instanceof StoreUnavailable ? error.cause : undefined;
        const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
        if (!PATH_FAULTS.has(code)) throw error;
        const expected = `a folder that can be written (${code})`;
        throw invalidFields([{ path: 'data_base_path', issue: 'not_allowed', expected, actual: 'string' }]);
    }
    return files.map(({ name }) => data.pathOf(join(folder, name)));
}
