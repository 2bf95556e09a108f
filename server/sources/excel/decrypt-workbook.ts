import { createDecipheriv, createHash } from 'node:crypto';
import { say } from '#language/program/say.ts';
import { compoundStreams } from './compound-file.ts';
import { readXml } from './xml.ts';
import type { Refuse } from './zip.ts';

/** Excel encrypts workbooks with this if the user has named no password for reading. */
const USUAL_PASSWORD = 'VelvetSweatshop';
/** Rounds of the hash that makes a key of a password. Excel takes 100,000; the format allows ten times as many as this. */
const MOST_ROUNDS = 1_000_000;
const STANDARD_ROUNDS = 50_000;
const ROUNDS_BETWEEN_LOOKS = 1 << 12;
const SEGMENT = 4096;
const BLOCK = 16;
const LONGEST_SALT = 64;
const LONGEST_INFO = 1 << 16;
const HASHES: Readonly<Record<string, string>> = { SHA1: 'sha1', SHA256: 'sha256', SHA384: 'sha384', SHA512: 'sha512' };
/** Distinguish the keys that are made of one password (agile encryption). */
const [INPUT_KEY, VALUE_KEY, PACKAGE_KEY] = ['fea7d2763b4b9e79', 'd7aa0f6d3061344e', '146e0be7abacd0d6'].map(hex =>
    Buffer.from(hex, 'hex'),
);
const [SHA1, AES_128, AES_192, AES_256] = [0x8004, 0x660e, 0x660f, 0x6610];

interface Opening {
    readonly password: string;
    readonly refuse: Refuse;
    readonly checkpoint: () => void;
}

/** Returns the archive in an encrypted workbook ([MS-OFFCRYPTO], agile and standard encryption). The password is in no refusal. */
export function decryptedWorkbook(bytes: Uint8Array, password: string | undefined, refuse: Refuse, checkpoint: () => void): Uint8Array {
    const streamOf = compoundStreams(bytes, refuse);
    const [info, data] = [streamOf('EncryptionInfo'), streamOf('EncryptedPackage')];
    if (info === undefined || data === undefined || info.length < 12 || info.length > LONGEST_INFO || data.length < 8)
        return refuse(say`is damaged`);
    const opening = { password: password ?? USUAL_PASSWORD, refuse, checkpoint };
    const view = viewOf(info);
    const [major, minor] = [view.getUint16(0, true), view.getUint16(2, true)];
    const isAgile = major === 4 && minor === 4;
    if (!isAgile && (minor !== 2 || major < 2 || major > 4)) return refuse(say`is encrypted in a way that is not read`);
    const whole = isAgile ? agilePackage(info.subarray(8), data, opening) : standardPackage(info, data, opening);
    if (whole === undefined)
        return refuse(password === undefined ? say`is encrypted; give its password` : say`is encrypted with another password`);
    const size = Number(viewOf(data).getBigUint64(0, true));
    return size > whole.length ? refuse(say`is damaged`) : whole.subarray(0, size);
}

/** Undefined for another password. */
function standardPackage(info: Uint8Array, data: Uint8Array, { password, refuse, checkpoint }: Opening): Uint8Array | undefined {
    const view = viewOf(info);
    const headerLength = view.getUint32(8, true);
    const at = 12 + headerLength;
    if (headerLength < 20 || at + 72 > info.length) return refuse(say`is damaged`);
    const [cipher = 0, hash, keyBits] = [20, 24, 28].map(place => view.getUint32(place, true));
    const bits = new Map([
        [AES_128, 128],
        [AES_192, 192],
        [AES_256, 256],
    ]).get(cipher);
    if (bits === undefined || bits !== keyBits || (hash !== SHA1 && hash !== 0)) return refuse(say`is encrypted in a way that is not read`);
    const salt = info.subarray(at + 4, at + 20);
    const spun = digest('sha1', spunHash('sha1', salt, password, STANDARD_ROUNDS, checkpoint), number32(0));
    const half = (fill: number): Buffer =>
        digest(
            'sha1',
            Buffer.alloc(64, fill).map((byte, place) => byte ^ (spun[place] ?? 0)),
        );
    const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, bits / 8);
    const open = (part: Uint8Array): Buffer => deciphered(`aes-${bits}-ecb`, key, null, part);
    const verifier = digest('sha1', open(info.subarray(at + 20, at + 36)));
    if (!verifier.equals(open(info.subarray(at + 40, at + 72)).subarray(0, verifier.length))) return undefined;
    return open(wholeBlocks(data.subarray(8)));
}

/** The attributes of elements in the description of agile encryption. */
type Description = Readonly<Record<string, string>>;

/** Undefined for another password. */
function agilePackage(text: Uint8Array, data: Uint8Array, { password, refuse, checkpoint }: Opening): Uint8Array | undefined {
    const found = new Map<string, Description>();
    readXml([text], 'EncryptionInfo', refuse, {
        open: (name, attributes) => {
            // Keys for certificates have no rounds.
            if (name === 'keyData' || 'spinCount' in attributes) found.set(name, attributes);
        },
    });
    const [keyData, encryptedKey] = [found.get('keyData'), found.get('encryptedKey')];
    if (keyData === undefined || encryptedKey === undefined) return refuse(say`is encrypted in a way that is not read`);
    const own = formOf(encryptedKey, refuse);
    const rounds = Number(encryptedKey.spinCount);
    if (!Number.isInteger(rounds) || rounds < 0) return refuse(say`is damaged`);
    if (rounds > MOST_ROUNDS) return refuse(say`is encrypted so that a password takes more than ${MOST_ROUNDS} rounds to try`);
    const spun = spunHash(own.hash, own.salt, password, rounds, checkpoint);
    const opened = (name: string, purpose: Uint8Array = Buffer.alloc(0)): Buffer => {
        const part = Buffer.from(encryptedKey[name] ?? '', 'base64');
        if (part.length === 0 || part.length % BLOCK !== 0 || part.length > 4 * LONGEST_SALT) return refuse(say`is damaged`);
        const key = fitted(digest(own.hash, spun, purpose), own.bits / 8);
        return deciphered(`aes-${own.bits}-cbc`, key, fitted(own.salt, BLOCK), part);
    };
    const input = opened('encryptedVerifierHashInput', INPUT_KEY).subarray(0, own.salt.length);
    const verifier = digest(own.hash, input);
    if (!verifier.equals(opened('encryptedVerifierHashValue', VALUE_KEY).subarray(0, verifier.length))) return undefined;
    const form = formOf(keyData, refuse);
    const key = opened('encryptedKeyValue', PACKAGE_KEY).subarray(0, form.bits / 8);
    if (key.length !== form.bits / 8) return refuse(say`is damaged`);
    const whole = wholeBlocks(data.subarray(8));
    const pieces: Buffer[] = [];
    for (let at = 0; at < whole.length; at += SEGMENT) {
        const start = fitted(digest(form.hash, form.salt, number32(at / SEGMENT)), BLOCK);
        pieces.push(deciphered(`aes-${form.bits}-cbc`, key, start, whole.subarray(at, at + SEGMENT)));
        checkpoint();
    }
    return Buffer.concat(pieces);
}

function formOf({ cipherAlgorithm, cipherChaining, hashAlgorithm = '', keyBits, saltValue = '' }: Description, refuse: Refuse) {
    const hash = HASHES[hashAlgorithm.replace('-', '')];
    const bits = Number(keyBits);
    if (cipherAlgorithm !== 'AES' || cipherChaining !== 'ChainingModeCBC' || hash === undefined || ![128, 192, 256].includes(bits))
        return refuse(say`is encrypted in a way that is not read`);
    const salt = Buffer.from(saltValue, 'base64');
    return salt.length === 0 || salt.length > LONGEST_SALT ? refuse(say`is damaged`) : { hash, bits, salt };
}

/** Makes guessing slow: a hash of salt and password, hashed again with the number of each round. */
function spunHash(hash: string, salt: Uint8Array, password: string, rounds: number, checkpoint: () => void): Buffer {
    let spun = digest(hash, salt, Buffer.from(password, 'utf16le'));
    for (let round = 0; round < rounds; round++) {
        if (round % ROUNDS_BETWEEN_LOOKS === 0) checkpoint();
        spun = digest(hash, number32(round), spun);
    }
    return spun;
}

function digest(hash: string, ...parts: readonly Uint8Array[]): Buffer {
    const state = createHash(hash);
    for (const part of parts) state.update(part);
    return state.digest();
}

function number32(value: number): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
}

function deciphered(cipher: string, key: Uint8Array, start: Uint8Array | null, part: Uint8Array): Buffer {
    const decipher = createDecipheriv(cipher, key, start).setAutoPadding(false);
    return Buffer.concat([decipher.update(part), decipher.final()]);
}

/** As many bytes as wanted, the last of them 0x36 if there are fewer. */
function fitted(bytes: Uint8Array, length: number): Buffer {
    return Buffer.concat([bytes.subarray(0, length), Buffer.alloc(Math.max(0, length - bytes.length), 0x36)]);
}

function wholeBlocks(bytes: Uint8Array): Uint8Array {
    return bytes.subarray(0, bytes.length - (bytes.length % BLOCK));
}

function viewOf(bytes: Uint8Array): DataView {
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
