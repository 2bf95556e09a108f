import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { MIXED } from '#language/program/types.ts';
import { jsonText } from '../../values/text.ts';
import { type CallSite, eager, type Family, type Implementation } from './builtin.ts';

/** The name space of version-5 identifiers; it never changes, so that equal arguments give equal identifiers for ever. */
const NAME_SPACE = Uint8Array.of(0x2f, 0x1c, 0x9a, 0x4e, 0x6b, 0x0d, 0x5e, 0x83, 0x9c, 0x57, 0x41, 0xe2, 0x7d, 0x35, 0xb8, 0x60);

const encoder = new TextEncoder();

/** Identifiers (6.8). */
export const IDENTITY_FUNCTIONS: Family = [
    ['uuid', eager(site => (site.types.length === 0 ? randomUuid(site) : nameUuid(site)))],
    [
        'monotonically_increasing_id',
        eager(
            ({ dictionary, surroundings }) =>
                () =>
                    dictionary.number(surroundings.nextId()),
        ),
    ],
];

/** Version 4 of RFC 9562. */
function randomUuid({ dictionary, surroundings }: CallSite): Implementation {
    return () => {
        const words = Uint32Array.from({ length: 4 }, surroundings.word);
        return dictionary.string(uuidText(new Uint8Array(words.buffer), 4));
    };
}

/** Version 5 of RFC 9562, over the compact JSON array of the arguments (D-50). */
function nameUuid({ dictionary }: CallSite): Implementation {
    return args => {
        const name = encoder.encode(`[${Array.from(args, value => jsonText(dictionary, value, MIXED)).join()}]`);
        const bytes = new Uint8Array(NAME_SPACE.length + name.length);
        bytes.set(NAME_SPACE);
        bytes.set(name, NAME_SPACE.length);
        return dictionary.string(uuidText(sha1(bytes).subarray(0, 16), 5));
    };
}

/** The text of 16 bytes, with version and variant written over some of their bits. */
function uuidText(bytes: Uint8Array, version: 4 | 5): string {
    bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = bytesToHex(bytes);
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
