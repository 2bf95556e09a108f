/** Words that are never names outside of quotes, nor functions unless a query may call them. */
const RESERVED = new Set(
    `select from where group by having order limit offset fetch union all intersect except distinct as on using join inner left right full outer
    cross natural and or not in is null like ilike between exists case when then else end cast with recursive over window qualify asc desc
    true false values lateral any some escape similar tablesample collate create insert update delete drop alter into default for`.split(
        /\s+/u,
    ),
);

/** Words that begin a part of a SELECT, or another join. */
const CLAUSES = new Set(
    `where group having order limit offset fetch window qualify union intersect except left right inner full outer cross natural lateral`.split(
        /\s+/u,
    ),
);

/** Words that mean something beside these others alone. */
const BESIDE: Readonly<Record<string, { readonly before?: RegExp; readonly after?: RegExp }>> = {
    nulls: { after: /^(?:first|last)$/iu },
    first: { before: /^nulls$/iu },
    last: { before: /^nulls$/iu },
    filter: { after: /^\($/u },
    within: { after: /^group$/iu },
    partition: { after: /^by$/iu },
    materialized: { after: /^\($/u },
    rows: { after: /^(?:between|unbounded|current|\d.*)$/iu },
    range: { after: /^(?:between|unbounded|current|interval)$/iu },
    groups: { after: /^(?:between|unbounded|current|\d.*)$/iu },
    unbounded: { after: /^(?:preceding|following)$/iu },
    current: { after: /^row$/iu },
    row: { before: /^current$/iu },
    preceding: { before: /^(?:unbounded|\d.*)$/iu },
    following: { before: /^(?:unbounded|\d.*)$/iu },
    interval: { after: /^['\d(]/u },
    date: { after: /^'/u },
    timestamp: { after: /^'/u },
};

/** Whether a word, in lower case, is one of the language between these. */
export function isSqlKeyword(word: string, before: string | undefined, after: string | undefined): boolean {
    if (RESERVED.has(word)) return true;
    const beside = Object.hasOwn(BESIDE, word) ? BESIDE[word] : undefined;
    return beside?.before?.test(before ?? '') === true || beside?.after?.test(after ?? '') === true;
}

/** Whether a name needs quotes. */
export function isReservedInSql(name: string): boolean {
    return RESERVED.has(name.toLowerCase());
}

/** Whether a keyword ends the part of a SELECT before it. */
export function isClauseWord(word: string): boolean {
    return CLAUSES.has(word);
}

/** The words that queries are made of, for those who write one. */
export const SQL_WORDS: readonly string[] = [
    'SELECT',
    'FROM',
    'WHERE',
    'GROUP BY',
    'HAVING',
    'ORDER BY',
    'LIMIT',
    'OFFSET',
    'DISTINCT',
    'AS',
    'ON',
    'USING',
    'JOIN',
    'LEFT JOIN',
    'RIGHT JOIN',
    'FULL JOIN',
    'CROSS JOIN',
    'AND',
    'OR',
    'NOT',
    'IN',
    'IS NULL',
    'IS NOT NULL',
    'LIKE',
    'BETWEEN',
    'EXISTS',
    'CASE',
    'WHEN',
    'THEN',
    'ELSE',
    'END',
    'UNION',
    'UNION ALL',
    'INTERSECT',
    'EXCEPT',
    'WITH',
    'OVER',
    'PARTITION BY',
    'ASC',
    'DESC',
];
