/**
 * Data sources. Columns are a JSON text. What opens them stands apart, in a table that no answer, list or export is made from; options are the
 * JSON text of all that were given.
 */
export const SOURCE_TABLES = `
CREATE TABLE sources (
    id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    type VARCHAR NOT NULL,
    row_count BIGINT,
    database_type VARCHAR NOT NULL,
    host VARCHAR NOT NULL,
    port INTEGER,
    database_name VARCHAR NOT NULL,
    "schema" VARCHAR,
    columns VARCHAR NOT NULL,
    bind_annotation VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    updated_at VARCHAR NOT NULL
);
CREATE TABLE source_credentials (
    source_id VARCHAR NOT NULL,
    username VARCHAR NOT NULL,
    password VARCHAR NOT NULL,
    options VARCHAR NOT NULL
);
`;
