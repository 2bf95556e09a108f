import type { Catalogue, Statement } from './dialect.ts';
import { declaredField } from './mysql-types.ts';

const statement = (text: string): Statement => ({ text, parameters: [] });

export const MYSQL_CATALOGUE: Catalogue = {
    relations: () =>
        statement(`SELECT table_name, IF(table_type LIKE '%VIEW', 'view', 'table') FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')`),
    // Columns that nobody sees without naming them are not read.
    columns: () =>
        statement(`SELECT table_name, column_name, column_type FROM information_schema.columns
WHERE table_schema = DATABASE() AND extra NOT LIKE '%INVISIBLE%' ORDER BY ordinal_position`),
    field: (name, [declared]) => declaredField(name, declared ?? ''),
    foreignKeys: () =>
        statement(`SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
FROM information_schema.key_column_usage
WHERE table_schema = DATABASE() AND referenced_table_schema = DATABASE() AND referenced_table_name IS NOT NULL
ORDER BY constraint_name, ordinal_position`),
};
