import type { Catalogue } from './dialect.ts';
import { formOf } from './postgresql-types.ts';

/** Tables and views that one may read: of a schema, or of all that are found without one, but for those of the system. */
function relations(schema: string | undefined): string {
    const where =
        schema === undefined
            ? "pg_catalog.pg_table_is_visible(c.oid) AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'"
            : 'n.nspname = $1';
    return `SELECT c.oid, c.relname, c.relkind, n.nspname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND pg_catalog.has_table_privilege(c.oid, 'SELECT') AND ${where}`;
}

function asked(text: string, schema: string | undefined) {
    return { text: `WITH relations AS (${relations(schema)}) ${text}`, parameters: schema === undefined ? [] : [schema] };
}

export const POSTGRESQL_CATALOGUE: Catalogue = {
    schema: { text: 'SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname = $1' },
    schemas: {
        text: `SELECT nspname FROM pg_catalog.pg_namespace
WHERE pg_catalog.has_schema_privilege(oid, 'USAGE') AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%' ORDER BY nspname LIMIT 10000`,
        parameters: [],
    },
    relations: schema =>
        asked("SELECT relname, CASE WHEN relkind IN ('v', 'm') THEN 'view' ELSE 'table' END, nspname FROM relations", schema),
    columns: schema =>
        asked(
            `SELECT c.relname, a.attname, pg_catalog.format_type(t.oid, NULL), t.typname, e.typname,
CASE WHEN d.typtype = 'd' THEN d.typtypmod ELSE a.atttypmod END
FROM relations c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
JOIN pg_catalog.pg_type d ON d.oid = a.atttypid
JOIN pg_catalog.pg_type t ON t.oid = CASE WHEN d.typtype = 'd' THEN d.typbasetype ELSE d.oid END
LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typinput = 'pg_catalog.array_in'::pg_catalog.regproc
WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
            schema,
        ),
    field: (name, [sqlType, type, element, modifier]) => ({
        name,
        sqlType: sqlType ?? 'unknown',
        form: formOf(type ?? '', element ?? null, Number(modifier)),
    }),
    foreignKeys: schema =>
        asked(
            `SELECT c.relname, k.conname, a.attname, r.relname, b.attname
FROM pg_catalog.pg_constraint k JOIN relations c ON c.oid = k.conrelid JOIN relations r ON r.oid = k.confrelid
CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(k.conkey), pg_catalog.unnest(k.confkey)) WITH ORDINALITY AS u(own, other, at)
JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.own
JOIN pg_catalog.pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = u.other
WHERE k.contype = 'f' ORDER BY k.conname, u.at`,
            schema,
        ),
};
