import { Type } from 'typebox';
import { DIAGNOSTIC } from '../diagnostic.ts';
import { READING_ERRORS } from '../errors.ts';
import { type RouteDescription, route } from '../route.ts';
import { defaulted, MEBIBYTE, optional, text } from '../schema.ts';

const TEXT = text(5 * MEBIBYTE);
const FLAG = defaulted(Type.Boolean(), false);
const MODEL_ERRORS = ['usage_limit_reached', 'llm_not_configured', 'llm_failed', 'llm_bad_response'] as const;
/** Documents that an ontology may import. */
const MOST_IMPORTS = 10;
/** An address with a scheme. */
const ABSOLUTE_IRI = '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s<>"{}|\\\\^`]+$';
/** A path that begins and stays below a folder. */
const INNER_PATH = '^(?![\\\\/])(?![A-Za-z]:)(?!(?:.*[\\\\/])?\\.\\.(?:[\\\\/]|$))[^\\u0000]*$';

const answer = { rulelang_program: Type.String(), project_id: Type.String() };
/** Fields that come with a program from a model. */
const written = {
    diagnostics: optional(Type.Array(DIAGNOSTIC)),
    dry_run: optional(
        Type.Object({
            outputs: Type.Array(
                Type.Object({ predicate: Type.String(), row_count: Type.Integer(), why_empty: optional(Type.Array(Type.String())) }),
            ),
            not_run: Type.Array(Type.String()),
        }),
    ),
};

export const TRANSLATIONS_ROUTES = {
    translateText: route({
        method: 'POST',
        path: '/rulelingo/:project_id/translate/nl-to-rulelang',
        summary: 'A program for what a text says; asks a language model',
        viewer: false,
        body: Type.Object({ domain_knowledge: TEXT }),
        data: Type.Object({
            ...answer,
            ...written,
            domain_knowledge: Type.String(),
            concepts_used: Type.Array(Type.String()),
            concepts_source: Type.String(),
        }),
        message: 'Translation completed',
        errors: ['project_not_found', ...READING_ERRORS, ...MODEL_ERRORS],
    }),
    translateSql: route({
        method: 'POST',
        path: '/rulelingo/:project_id/translate/sql-to-rulelang',
        summary: 'A program for a SQL query',
        viewer: false,
        body: Type.Object({ sql_data: TEXT }),
        data: Type.Object({ ...answer, ...written, sql_data: Type.String() }),
        message: 'Translation completed',
        errors: ['project_not_found', 'sql_invalid', ...READING_ERRORS, ...MODEL_ERRORS],
    }),
    translateRdf: route({
        method: 'POST',
        path: '/rulelingo/:project_id/translate/rdf-to-rulelang',
        summary: 'A program with the facts of an RDF document',
        viewer: false,
        body: Type.Object({ rdf_data: TEXT }),
        data: Type.Object({ ...answer, rdf_data: Type.String() }),
        message: 'Translation completed',
        errors: ['project_not_found', 'rdf_invalid', ...READING_ERRORS, ...MODEL_ERRORS],
    }),
    translateOwl: route({
        method: 'POST',
        path: '/rulelingo/:project_id/translate/owl-to-rulelang',
        summary: 'A program with the rules of an ontology',
        viewer: false,
        body: Type.Object({
            owl_content: TEXT,
            base_namespace: Type.String({ pattern: ABSOLUTE_IRI }),
            data_base_path: optional(Type.String({ pattern: INNER_PATH, 'x-may-be-empty': true })),
            add_concepts: FLAG,
            imports: optional(
                Type.Array(Type.Object({ iri: optional(Type.String({ pattern: ABSOLUTE_IRI })), owl_content: TEXT }), {
                    maxItems: MOST_IMPORTS,
                }),
            ),
            options: optional(Type.Object({ include_imports: FLAG, include_schema: FLAG, include_not_rules: FLAG })),
        }),
        data: Type.Object({
            ...answer,
            owl_content_length: Type.Integer(),
            base_namespace: Type.String(),
            predicates: Type.Record(Type.String(), Type.Array(Type.String())),
            rules: Type.Array(Type.String()),
            data_bindings: Type.Array(Type.Object({ predicate: Type.String(), path: Type.String(), annotation: Type.String() })),
            saved_data_files: Type.Array(Type.String()),
            metadata: Type.Record(Type.String(), Type.Unknown()),
            concept_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        }),
        message: 'Translation completed',
        errors: ['project_not_found', 'owl_invalid', ...READING_ERRORS, ...MODEL_ERRORS],
    }),
} as const satisfies Record<string, RouteDescription>;
