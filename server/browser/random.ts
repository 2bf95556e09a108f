import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Random bytes and digests, in the place of Node's `crypto`. */
export function randomBytes(count: number): { toString(encoding: 'hex'): string } {
    const bytes = crypto.getRandomValues(new Uint8Array(count));
    return { toString: () => bytesToHex(bytes) };
}

interface Digest {
    update(content: Uint8Array | string): Digest;
    digest(): Uint8Array;
    digest(encoding: 'hex' | 'base64url'): string;
}

export function createHash(_algorithm: 'sha256'): Digest {
    const hash = sha256.create();
    const digest = (encoding?: 'hex' | 'base64url'): Uint8Array | string => {
        const bytes = hash.digest();
        if (encoding === undefined) return bytes;
        if (encoding === 'hex') return bytesToHex(bytes);
        return btoa(String.fromCharCode(...bytes))
            .replaceAll('+', '-')
            .replaceAll('/', '_')
            .replaceAll('=', '');
    };
    const made: Digest = {
        update: content => {
            hash.update(typeof content === 'string' ? new TextEncoder().encode(content) : content);
            return made;
        },
        digest: digest as Digest['digest'],
    };
    return made;
}
