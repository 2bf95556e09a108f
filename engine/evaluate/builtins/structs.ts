import { mapOf } from '../../values/from-json.ts';
import type { ValueId } from '../../values/value-id.ts';
import { type CallSite, eager, type Family, type Implementation } from './builtin.ts';

/** Structs and maps (6.8). */
export const STRUCT_FUNCTIONS: Family = [
    ['struct', eager(struct)],
    ['struct:get', eager(field)],
    ['collections:map', eager(map)],
];

/** Names and values in turn; the names are distinct strings. */
function struct({ dictionary, undefinedFor }: CallSite): Implementation {
    return args => {
        const names = args.filter((_, i) => i % 2 === 0);
        const isStruct =
            args.length % 2 === 0 && new Set(names).size === names.length && names.every(name => dictionary.kind(name) === 'string');
        return isStruct ? dictionary.struct(Array.from(args)) : undefinedFor(args);
    };
}

/** The name comes first; a struct without the field has an unknown value. */
function field({ dictionary, missing }: CallSite): Implementation {
    return args => {
        const members = dictionary.membersOf(args[1]!);
        for (let i = 0; i < members.length; i += 2) if (members[i] === args[0]) return members[i + 1]!;
        return missing(args);
    };
}

function map({ dictionary, undefinedFor }: CallSite): Implementation {
    return args => {
        if (args.length % 2 !== 0) return undefinedFor(args);
        const entries = Array.from({ length: args.length / 2 }, (_, i): [ValueId, ValueId] => [args[2 * i]!, args[2 * i + 1]!]);
        return mapOf(dictionary, entries);
    };
}
