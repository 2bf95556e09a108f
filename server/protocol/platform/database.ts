import { Type } from 'typebox';
import { CONNECTED_TYPES, type ContractType, contractName } from '#language/library/connected-sources.ts';
import { KIBIBYTE, optional, text } from './schema.ts';

/** The types of databases that the contract names. */
const NAMED_TYPES = [
    'postgresql',
    'mysql',
    'neo4j',
    'csv',
    'excel',
    'snowflake',
    'databricks',
    'bigquery',
    'dynamodb',
    'text',
    'binaryfile',
] as const;

export type DatabaseType = (typeof NAMED_TYPES)[number] | ContractType;

/** The types that the contract names, and further ones that runs read. */
export const DATABASE_TYPES: readonly DatabaseType[] = [...new Set([...NAMED_TYPES, ...CONNECTED_TYPES.map(contractName)])];

/** Types of document for `binaryfile`. */
export const DOCUMENT_TYPES = [
    'check.us',
    'bankStatement.us',
    'payStub.us',
    'creditCard',
    'invoice',
    'idDocument.driverLicense',
    'idDocument.passport',
    'idDocument.nationalIdentityCard',
    'idDocument.residencePermit',
    'idDocument.usSocialSecurityCard',
    'receipt.retailMeal',
    'receipt.creditCard',
    'receipt.gas',
    'receipt.parking',
    'receipt.hotel',
    'tax.us.1040.2023',
    'tax.us.w2',
    'tax.us.w4',
    'tax.us.1095A',
    'tax.us.1098',
    'tax.us.1099',
    'mortgage.us.1003',
    'mortgage.us.1004',
    'mortgage.us.closingDisclosure',
    'contract',
    'healthInsuranceCard.us',
    'marriageCertificate.us',
] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const LONGEST = 64 * KIBIBYTE;
const open = text(LONGEST, { mayBeEmpty: true });
const nullable = { ...open, 'x-null': '' };
const names = optional(Type.Array(text(LONGEST)));

/** The address of a source, and the credentials for it. The type decides which fields may be empty. */
export const DATABASE = Type.Object({
    databaseType: Type.String({ description: `One of ${DATABASE_TYPES.join(', ')}.` }),
    host: nullable,
    port: optional(Type.Integer({ minimum: 0, maximum: 65_535, description: '0 is the usual one of the type.' })),
    databaseName: open,
    username: nullable,
    password: nullable,
    tables: names,
    schema: optional(open),
    catalog: optional(open),
    query: optional(open),
    selectedColumns: names,
    ignoreColumns: names,
    ignoreTables: names,
    url: optional(open),
    options: optional(Type.Record(Type.String(), open)),
});
