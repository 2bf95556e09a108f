/** Which store this is, and how many transactions were committed in it; one row. */
export const COMMIT_TABLE = `
CREATE TABLE store_commits (
    store VARCHAR NOT NULL,
    number BIGINT NOT NULL
);
INSERT INTO store_commits VALUES (uuid()::VARCHAR, 0);
`;
