import { Type } from 'typebox';
import { asWritten, COMPUTE, KIBIBYTE, NAME_PATTERN, oneOf, opaque, optional, text } from './schema.ts';

const MOST_SCRIPTS = 64;
const LARGEST_SCRIPT = 256 * KIBIBYTE;
/** Of binds and of a position, with all that is said beside them. */
const LARGEST_PART = 256 * KIBIBYTE;

/** One annotation; what else is said about it is kept. */
const bindEntry = Type.Object({ predicate: Type.String(), annotation: text(64 * KIBIBYTE) }, { additionalProperties: {} });

/** The stored fields of a concept beside its name and definition. An absent one stays as it is, or is empty at first. */
export const CONCEPT_FIELDS = {
    python_scripts: optional(
        Type.Record(Type.String(), text(LARGEST_SCRIPT, { mayBeEmpty: true }), {
            maxProperties: MOST_SCRIPTS,
            propertyNames: { pattern: NAME_PATTERN },
        }),
    ),
    description: optional(Type.String({ maxLength: 4096, 'x-may-be-empty': true })),
    binds: optional(
        Type.Object({ input: optional(Type.Array(bindEntry)), output: optional(Type.Array(bindEntry)) }, { 'x-max-bytes': LARGEST_PART }),
    ),
    position: optional(asWritten({ maxBytes: LARGEST_PART })),
    group: optional(Type.String({ 'x-may-be-empty': true })),
    compute: optional(COMPUTE),
};

/** Logic and SQL. */
export const CONCEPT_TYPE = oneOf(['logic', 'sql'], 'invalid_concept_type');

const names = Type.Array(Type.String());

/** A concept in answers. */
export const CONCEPT_RECORD = Type.Object({
    id: Type.String(),
    predicate_name: Type.String(),
    concept_name: Type.String(),
    output_predicate: Type.String(),
    concept_type: Type.String(),
    row_count: Type.Integer(),
    definition: Type.String(),
    description: Type.String(),
    python_scripts: Type.Record(Type.String(), Type.String()),
    binds: opaque(),
    position: Type.Union([opaque(), Type.Null()]),
    group: Type.String(),
    compute: Type.Union([opaque(), Type.Null()]),
    params: Type.Array(Type.Object({ name: Type.String(), default: Type.Unknown() })),
    columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
    dependencies: names,
    is_populated: Type.Boolean(),
    is_stale: Type.Boolean(),
    scope: Type.String(),
    project_id: Type.String(),
    author: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
});
