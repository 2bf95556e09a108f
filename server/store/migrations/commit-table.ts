/** The identity of this store, and the number of its committed transactions; one row. */
export const COMMIT_TABLE = `
CREATE TABLE store_commits (
    store VARCHAR NOT NULL,
    number BIGINT NOT NULL
);
INSERT INTO store_commits VALUES (uuid()::VARCHAR, 0);
`;
