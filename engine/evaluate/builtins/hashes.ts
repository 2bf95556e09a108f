import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { MIXED } from '#language/program/types.ts';
import { textOf } from '../../values/text.ts';
import { type Builtin, type CallSite, eager, type Family, type Implementation } from './builtin.ts';
import { murmur3 } from './murmur3.ts';

type Digest = (bytes: Uint8Array) => Uint8Array;

const encoder = new TextEncoder();

const SEED = 42;
/** The unit separator stands between the texts that are hashed together (D-52). */
const SEPARATOR = '\u001f';

/** By the length that a program asks for. */
const SHA2: ReadonlyMap<number, Digest> = new Map<number, Digest>([
    [0, sha256],
    [256, sha256],
    [384, sha384],
    [512, sha512],
]);

/** Hash values of the text forms of values (6.8). */
export const HASH_FUNCTIONS: Family = [
    ['hash:hash', eager(chained)],
    ['hash:md5', digestOfOne(md5)],
    ['hash:sha1', digestOfOne(sha1)],
    ['hash:sha2', eager(sha2)],
];

/** The hash of each argument is the seed of the next one. Equal numbers have equal hashes, whatever their static types. */
function chained({ dictionary }: CallSite): Implementation {
    return args => {
        let hash = SEED;
        for (const value of args) {
            if (!dictionary.isNull(value)) hash = murmur3(encoder.encode(textOf(dictionary, value, MIXED, String)), hash);
        }
        return dictionary.number(hash);
    };
}

function digestOfOne(digest: Digest): Builtin {
    return eager(({ dictionary, types, missing }) => {
        return args => {
            if (dictionary.isNull(args[0]!)) return missing(args);
            return dictionary.string(bytesToHex(digest(encoder.encode(textOf(dictionary, args[0]!, types[0]!, String)))));
        };
    });
}

/** The last argument is the number of bits; of the others the known ones count. */
function sha2({ dictionary, types, missing, undefinedFor }: CallSite): Implementation {
    return args => {
        const bits = args.at(-1)!;
        const known = Array.from(args.subarray(0, -1), (value, i) => ({ value, type: types[i]! })).filter(
            ({ value }) => !dictionary.isNull(value),
        );
        if (dictionary.isNull(bits) || known.length === 0) return missing(args);
        const digest = SHA2.get(dictionary.numberOf(bits));
        if (digest === undefined) return undefinedFor(args);
        const text = known.map(({ value, type }) => textOf(dictionary, value, type, String)).join(SEPARATOR);
        return dictionary.string(bytesToHex(digest(encoder.encode(text))));
    };
}
