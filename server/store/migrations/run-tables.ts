/**
 * The last runs of the concepts of each project, which have numbers that grow, and what the stored rows of a concept were made with: the
 * programs and parameters of that run as compressed JSON. `parameters` of a run is a JSON list of names: values may be secrets.
 */
export const RUN_TABLES = `
CREATE TABLE runs (
    scope VARCHAR NOT NULL,
    project_id VARCHAR NOT NULL,
    number BIGINT NOT NULL,
    concept_id VARCHAR NOT NULL,
    execution_id VARCHAR,
    state VARCHAR NOT NULL,
    started_at VARCHAR NOT NULL,
    seconds DOUBLE NOT NULL,
    row_count BIGINT,
    is_cached BOOLEAN NOT NULL,
    is_persisted BOOLEAN NOT NULL,
    parameters VARCHAR NOT NULL,
    error_code VARCHAR,
    error_message VARCHAR
);
CREATE TABLE result_programs (
    concept_id VARCHAR NOT NULL,
    execution_id VARCHAR NOT NULL,
    programs BLOB NOT NULL
);
`;
