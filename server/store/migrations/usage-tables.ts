/** Requests to providers by month in UTC, `2026-03`, and kind. */
export const USAGE_TABLES = `
CREATE TABLE usage (
    month VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    requests BIGINT NOT NULL
);
`;
