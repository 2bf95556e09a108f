import { dirname, resolve } from 'node:path';
import { type ReportContext, stop } from '#engine/reports/reports.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { accessContext, nodeFiles, openGranted } from '#server/files/open-granted.ts';
import { hostText } from '#server/protocol/host-grant.ts';
import { Secret } from '#server/secrets/secret.ts';
import { MASK } from '#server/secrets/secret-shapes.ts';
import { withDefaults } from '../bind-defaults.ts';
import { secretNamed, textWithParameters, withParameters } from '../bind-parameters.ts';
import type { SourceAccess } from '../connector.ts';
import { type LoginPlace, storedPassword } from '../credentials.ts';
import { isLoopback, requireHost } from '../reach-host.ts';
import { secretText } from '../secret-text.ts';
import type { Tls } from './session.ts';

/** What a bind says about the database that it reads or writes; the host is granted. */
export interface DatabaseBind {
    readonly bind: Bind;
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly username: string;
    readonly password: Secret | undefined;
    readonly tls: Tls | undefined;
    readonly relation: TableName | QueryText;
    /** What people call it. It holds no secret. */
    readonly shown: string;
    readonly report: ReportContext;
    /** The place that names the password, where that is not an option of a command. */
    readonly loginBy: string | undefined;
}

export interface TableName {
    readonly kind: 'table';
    /** That of the connection where absent. */
    readonly schema: string | undefined;
    readonly table: string;
}

export interface QueryText {
    readonly kind: 'query';
    readonly text: string;
}

/** What a type of database has of its own in binds. */
export interface DatabaseKind {
    readonly port: number;
    /** A schema is a part of a database; otherwise the two are one. */
    readonly hasSchemas: boolean;
}

export function databaseBind(written: Bind, { port: usualPort, hasSchemas }: DatabaseKind, access: SourceAccess): DatabaseBind {
    const report = { location: { place: written.place, span: written.annotation.span } };
    const { grants, parameters } = access;
    const bind = withParameters(withDefaults(withoutPassword(written), grants.defaults), parameters, report, name =>
        secretText(name, grants, report),
    );
    const refuse = (key: string, wanted: string): never => stop('RT064', report, bind.type, say`cannot be used: ${key} ${wanted}`);
    const url = connectionUrl(bind, refuse);
    const host = (url?.host ?? option(bind, 'host') ?? 'localhost').toLowerCase();
    const port = url?.port ?? numberOf(option(bind, 'port'), refuse) ?? usualPort;
    requireHost({ host, port }, grants, report);
    const named = url?.database ?? option(bind, 'database');
    const database = named ?? bind.outer;
    if (database === '') refuse(say`the third argument`, say`has to name a database`);
    const schema = named === undefined || bind.outer === '' ? undefined : bind.outer;
    const username = url?.username ?? option(bind, 'username') ?? refuse(say`option 'username'`, say`has to say who connects`);
    const place = { type: bind.type, host, port, database, username };
    const password = url?.password ?? passwordOf(written.options.get('password'), place, access, report);
    const relation = relationOf(bind, schema, hasSchemas);
    const address = `${bind.type}://${hostText({ host, port })}/${database}`;
    return {
        bind,
        host,
        port,
        database: hasSchemas ? database : (schema ?? database),
        username,
        password: password === undefined ? undefined : new Secret(password),
        tls: tlsOf(bind, url?.tls, host, written, access, refuse),
        relation: hasSchemas || relation.kind === 'query' ? relation : { ...relation, schema: undefined },
        shown:
            relation.kind === 'query'
                ? address
                : `${address}/${relation.schema === undefined ? '' : `${relation.schema}.`}${relation.table}`,
        report,
        loginBy: grants.grantLogin?.(),
    };
}

function withoutPassword(bind: Bind): Bind {
    const options = new Map(bind.options);
    options.delete('password');
    return { ...bind, options };
}

/** What the bind says, else what was stored for the place, else a secret that the bind names (9.6). */
function passwordOf(
    written: string | undefined,
    place: LoginPlace,
    { grants, parameters }: SourceAccess,
    report: ReportContext,
): string | undefined {
    const isSaid = written !== undefined && written !== MASK && secretNamed(written, parameters) === undefined;
    const stored = isSaid ? undefined : storedPassword(place, grants.logins);
    if (stored !== undefined || written === undefined) return stored;
    return textWithParameters(written, parameters, report, name => secretText(name, grants, report));
}

function option({ options }: Bind, key: string): string | undefined {
    const text = options.get(key)?.trim();
    return text === '' ? undefined : text;
}

function numberOf(text: string | undefined, refuse: Refuse): number | undefined {
    if (text === undefined) return undefined;
    const port = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
    return port > 0 && port < 1 << 16 ? port : refuse(say`option 'port'`, say`has to be a number from 1 to 65535`);
}

type Refuse = (key: string, wanted: string) => never;

/** A table by its name, or `schema.table`, unless the third argument names the schema; or a query. */
function relationOf(bind: Bind, schema: string | undefined, hasSchemas: boolean): TableName | QueryText {
    const query = bind.kind === 'qbind' ? bind.inner : option(bind, 'query');
    if (query !== undefined) return { kind: 'query', text: query };
    const dot = bind.inner.indexOf('.');
    if (schema !== undefined || dot < 0 || !hasSchemas) return { kind: 'table', schema, table: bind.inner };
    return { kind: 'table', schema: bind.inner.slice(0, dot), table: bind.inner.slice(dot + 1) };
}

interface ConnectionUrl {
    readonly host: string;
    readonly port: number | undefined;
    readonly database: string | undefined;
    readonly username: string | undefined;
    readonly password: string | undefined;
    readonly tls: string | undefined;
}

const SCHEMES: Readonly<Record<string, readonly string[]>> = {
    postgresql: ['postgresql:', 'postgres:'],
    mysql: ['mysql:', 'mariadb:'],
    mariadb: ['mariadb:', 'mysql:'],
};

/** `postgresql://user@host:5432/database?sslmode=require`, also with `jdbc:` before it. */
function connectionUrl(bind: Bind, refuse: Refuse): ConnectionUrl | undefined {
    const text = option(bind, 'url');
    if (text === undefined) return undefined;
    const form = say`has to be an address such as ${bind.type}://host:5432/database`;
    const address = text.replace(/^jdbc:/iu, '');
    if (!URL.canParse(address)) return refuse(say`option 'url'`, form);
    const { protocol, hostname, port, pathname, username, password, searchParams } = new URL(address);
    if (SCHEMES[bind.type]?.includes(protocol) !== true || hostname === '') return refuse(say`option 'url'`, form);
    const given = (value: string | null): string | undefined => (value === null || value === '' ? undefined : decoded(value));
    return {
        host: hostname.replace(/^\[|\]$/gu, ''),
        port: port === '' ? undefined : Number(port),
        database: given(pathname.slice(1)),
        username: given(username) ?? given(searchParams.get('user')) ?? option(bind, 'username'),
        // Where an address was masked, its password is among those that are stored.
        password: [given(password), given(searchParams.get('password'))].find(text => text !== undefined && text !== MASK),
        tls: given(searchParams.get('sslmode')),
    };
}

function decoded(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/** Without `sslmode`, what leaves this machine is encrypted and the server is who it says it is. */
function tlsOf(bind: Bind, ofUrl: string | undefined, host: string, written: Bind, access: SourceAccess, refuse: Refuse): Tls | undefined {
    const mode = (ofUrl ?? option(bind, 'sslmode') ?? usualMode(host)).toLowerCase();
    if (mode === 'disable') return undefined;
    const verifies = VERIFIED.get(mode);
    if (verifies === undefined) return refuse('sslmode', say`is one of disable, require, verify-ca and verify-full`);
    const file = option(bind, 'sslrootcert');
    return { host, verifies, root: file === undefined ? undefined : certificate(file, written, access) };
}

function usualMode(host: string): string {
    return isLoopback(host) ? 'disable' : 'verify-full';
}

/** What a bind has to say of encryption; undefined where it is as usual. */
export function modeOf({ host, tls }: Pick<DatabaseBind, 'host' | 'tls'>): string | undefined {
    const mode = tls === undefined ? 'disable' : [...VERIFIED].find(([, verifies]) => verifies === tls.verifies)?.[0];
    return mode === usualMode(host) ? undefined : mode;
}

const VERIFIED: ReadonlyMap<string, Tls['verifies']> = new Map([
    ['require', 'nothing'],
    ['verify-ca', 'chain'],
    ['verify-full', 'name'],
]);

const LARGEST_CERTIFICATE = 1 << 20;

/** The text of a file that lies beside the program, or where the run may read. */
function certificate(file: string, { place, annotation }: Bind, access: SourceAccess): string {
    const base = dirname(resolve(access.currentFolder, access.pathOf?.(place.file) ?? access.programFile));
    const report = { location: { place, span: annotation.span } };
    const opened = openGranted({ base, parts: [file], shown: file }, accessContext(access.grants, report, access.files ?? nodeFiles));
    try {
        const bytes = new Uint8Array(Math.min(opened.size, LARGEST_CERTIFICATE));
        return new TextDecoder().decode(bytes.subarray(0, opened.read(bytes)));
    } finally {
        opened.close();
    }
}
