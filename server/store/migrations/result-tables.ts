/** Rows that runs stored, by the id of the concept, which stays when its name changes. `columns` is a JSON list of `{"name", "type"}`. */
export const RESULT_TABLES = `
CREATE TABLE results (
    concept_id VARCHAR NOT NULL,
    execution_id VARCHAR NOT NULL,
    definition_hash VARCHAR NOT NULL,
    cache_key VARCHAR NOT NULL,
    columns VARCHAR NOT NULL,
    row_count BIGINT NOT NULL,
    made_at VARCHAR NOT NULL
);
`;
