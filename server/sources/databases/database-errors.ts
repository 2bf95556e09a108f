import { RunStopped, stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { MASK } from '#server/secrets/secret-shapes.ts';
import type { DatabaseBind } from './database-bind.ts';

/** Signs of what a database says that are shown. */
const SHOWN = 300;

/** What an error of a driver, by its code, says about the bind. */
type Reason = (target: DatabaseBind, said: string) => string;

const nobody: Reason = ({ host, port }) =>
    say`does not answer: nothing listens at port ${port} of ${host}; start the database, or correct host and port`;
const unknownHost: Reason = ({ host }) => say`cannot be reached: no machine is called '${host}'`;
const slow: Reason = () => say`does not answer in time; is it another service, or behind a wall of the network?`;
const gone: Reason = () => say`broke the connection off; what was read or written so far is dropped`;
const login: Reason = ({ username, password, loginBy }) =>
    password === undefined
        ? say`refuses '${username}' without a password; ${loginBy ?? say`add password='\${NAME}' to the bind, and --secret NAME to the command`}`
        : say`refuses '${username}' with this password`;
const noDatabase: Reason = ({ database }) => say`cannot be opened: there is no database '${database}'`;
const denied: Reason = ({ username }, said) => say`is not granted to '${username}': ${said}`;
const clear: Reason = () => say`asks for the password in clear text; encrypt the connection with sslmode='verify-full'`;
const locked: Reason = () => say`is locked by another transaction; try again when that has ended, and write each table by one bind`;
const untrusted: Reason = (_, said) =>
    say`cannot be trusted: ${said}; name the certificate of its authority with sslrootcert, or write sslmode='require' where anybody may pretend to be it`;

const REASONS: ReadonlyMap<string, Reason> = new Map<string, Reason>([
    ['ECONNREFUSED', nobody],
    ['EHOSTUNREACH', nobody],
    ['ENETUNREACH', nobody],
    ['ENOTFOUND', unknownHost],
    ['EAI_AGAIN', unknownHost],
    ['ETIMEDOUT', slow],
    ['ECONNRESET', gone],
    ['EPIPE', gone],
    ['PROTOCOL_CONNECTION_LOST', gone],
    ['57P01', gone],
    ['28P01', login],
    ['28000', login],
    ['ER_ACCESS_DENIED_ERROR', login],
    ['ER_ACCESS_DENIED_NO_PASSWORD_ERROR', login],
    ['3D000', noDatabase],
    ['ER_BAD_DB_ERROR', noDatabase],
    ['ER_DBACCESS_DENIED_ERROR', denied],
    ['ER_TABLEACCESS_DENIED_ERROR', denied],
    ['ER_COLUMNACCESS_DENIED_ERROR', denied],
    ['42501', denied],
    ['CLEAR_PASSWORD', clear],
    ['MYSQL_CLEAR_PASSWORD_NOT_ENABLED', clear],
    ['55P03', locked],
    ['ER_LOCK_WAIT_TIMEOUT', locked],
    ['ER_LOCK_DEADLOCK', locked],
    ['40P01', locked],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
    ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
    ['CERT_HAS_EXPIRED', untrusted],
    ['ERR_TLS_CERT_ALTNAME_INVALID', untrusted],
]);

/** Ends the run with RT064 for an error of a driver. */
export function stopForDatabase(error: unknown, target: DatabaseBind): never {
    if (error instanceof RunStopped) throw error;
    const said = saidBy(error, target);
    const reason = REASONS.get(codeOf(error))?.(target, said) ?? say`says: ${said}`;
    stop('RT064', target.report, target.shown, reason);
}

/** The code of the database, of the driver, or of the system. */
function codeOf(error: unknown): string {
    if (typeof error !== 'object' || error === null) return '';
    // Where a name has several addresses, none of which answers.
    if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
    return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** What the database says, in one line that is not too long, and without the password. */
function saidBy(error: unknown, { password }: DatabaseBind): string {
    const message = error instanceof Error ? error.message : String(error);
    const secret = password?.open() ?? '';
    const safe = secret === '' ? message : message.replaceAll(secret, MASK);
    const line = safe.replaceAll(/\s+/gu, ' ').trim();
    return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
