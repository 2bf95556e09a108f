/**
 * Projects and what belongs to them. Times are ISO 8601 texts in UTC with milliseconds; objects and lists are JSON texts, kept as they were
 * given. What belongs to a concept is found by its id, which stays when its name changes.
 */
export const RECORD_TABLES = `
CREATE TABLE projects (
    id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    metadata VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    updated_at VARCHAR NOT NULL
);
CREATE TABLE dashboards (
    id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    project_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    definition VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    updated_at VARCHAR NOT NULL
);
CREATE TABLE concepts (
    id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    project_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    concept_type VARCHAR NOT NULL,
    definition VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    python_scripts VARCHAR NOT NULL,
    binds VARCHAR NOT NULL,
    "position" VARCHAR NOT NULL,
    "group" VARCHAR NOT NULL,
    compute VARCHAR NOT NULL,
    -- What reading the definition told: {"columns", "params", "reads", "module"}.
    reading VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    updated_at VARCHAR NOT NULL
);
`;
