import { randomBytes, randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import type { DataDirectory } from '#server/store/data-directory.ts';
import { TOKEN_FILE } from '#server/store/running-services.ts';

const ROLES = ['user', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The caller of a request. */
export interface Caller {
    readonly role: Role;
    readonly username: string;
    readonly organization: string;
}

const ISSUER = 'rulelang-local';
const ORGANIZATION = 'local';
const ALGORITHM = 'HS256';
const KEY_FILE = 'auth/key';
const KEY_BYTES = 32;
const LONGEST = 8192;
/** Seconds. */
const LEEWAY = 30;
const DAY = 24 * 60;
/** The usual life of a token in minutes. */
export const TOKEN_LIFE = 365 * DAY;
const RENEWED_BEFORE = 7 * DAY;

/** The key that signs tokens; made where there is none. */
export function signingKey(data: DataDirectory): Uint8Array {
    const kept = data.read(KEY_FILE);
    if (kept?.length === KEY_BYTES) return kept;
    const key = randomBytes(KEY_BYTES);
    data.write(KEY_FILE, key);
    return key;
}

/** A new token that is good for some minutes. */
export function issueToken(key: Uint8Array, role: Role, minutes: number): Promise<string> {
    const username = userName();
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ username, organization: ORGANIZATION, role })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setSubject(username)
        .setIssuedAt(now)
        .setExpirationTime(now + Math.round(minutes * 60))
        .setJti(randomUUID())
        .sign(key);
}

/** Keeps a token of the role `user` in the data directory, a new one where there is none that is good for a week. */
export async function keepToken(data: DataDirectory, key: Uint8Array): Promise<void> {
    const kept = data.read(TOKEN_FILE)?.toString().trim();
    if (kept !== undefined && (await isGood(kept, key))) return;
    data.write(TOKEN_FILE, `${await issueToken(key, 'user', TOKEN_LIFE)}\n`);
}

async function isGood(token: string, key: Uint8Array): Promise<boolean> {
    try {
        await readToken(token, key);
        const { exp = 0 } = decodeJwt(token);
        return exp - Date.now() / 1000 > RENEWED_BEFORE * 60;
    } catch (error) {
        if (error instanceof ApiError) return false;
        throw error;
    }
}

/** The caller that the `Authorization` headers of a request name; `token_…` where they name none. */
export async function authenticate(headers: readonly string[], key: Uint8Array): Promise<Caller> {
    const [header, ...more] = headers;
    const [, token] = /^bearer +(.*)$/isu.exec(header ?? '') ?? [];
    if (token === undefined || token.trim() === '') throw new ApiError('token_missing');
    if (more.length > 0) throw new ApiError('token_invalid');
    return await readToken(token.trim(), key);
}

async function readToken(token: string, key: Uint8Array): Promise<Caller> {
    if (token.length > LONGEST) throw new ApiError('token_invalid');
    try {
        const { payload } = await jwtVerify(token, key, {
            algorithms: [ALGORITHM],
            issuer: ISSUER,
            clockTolerance: LEEWAY,
            requiredClaims: ['exp', 'iat', 'sub'],
        });
        const { role, username, organization, nbf } = payload;
        const known = ROLES.find(one => one === role);
        const isEarly = nbf !== undefined && nbf > Date.now() / 1000;
        if (known === undefined || isEarly || typeof username !== 'string' || typeof organization !== 'string')
            throw new ApiError('token_invalid');
        return { role: known, username, organization };
    } catch (error) {
        if (error instanceof errors.JWTExpired) throw new ApiError('token_expired');
        if (error instanceof errors.JOSEError || error instanceof TypeError) throw new ApiError('token_invalid');
        throw error;
    }
}

/** The name of the user in the operating system, in letters that addresses can hold. */
function userName(): string {
    const slug = systemName()
        .toLowerCase()
        .replaceAll(/[^a-z0-9_-]+/gu, '-');
    return slug === '' ? 'user' : slug;
}

/** Empty for a user that the system has no entry for, as in some containers. */
function systemName(): string {
    try {
        return userInfo().username;
    } catch {
        return '';
    }
}
