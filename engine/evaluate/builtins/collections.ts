import type { Dictionary } from '../../values/dictionary.ts';
import { compareValues } from '../../values/order.ts';
import type { ValueId } from '../../values/value-id.ts';
import { distinctLike, intersection, union } from '../expression-collections.ts';
import { type Builtin, type CallSite, eager, type Family, type Implementation } from './builtin.ts';
import { randomBelow } from './surroundings.ts';

/** A function whose collection must be known and whose other argument need not be. */
function withElement(compute: (dictionary: Dictionary, collection: ValueId, element: ValueId) => ValueId): Builtin {
    return eager(({ dictionary, missing }) => {
        return args => (dictionary.isNull(args[0]!) ? missing(args) : compute(dictionary, args[0]!, args[1]!));
    });
}

function ofTwo(compute: (dictionary: Dictionary, left: ValueId, right: ValueId) => ValueId): Builtin {
    return eager(
        ({ dictionary }) =>
            args =>
                compute(dictionary, args[0]!, args[1]!),
    );
}

/** Collection functions (6.9). */
export const COLLECTION_FUNCTIONS: Family = [
    ['collections:size', eager(size)],
    [
        'collections:is_empty',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.boolean(dictionary.membersOf(args[0]!).length === 0),
        ),
    ],
    ['collections:contains', withElement((dictionary, c, x) => dictionary.boolean(dictionary.membersOf(c).includes(x)))],
    [
        'collections:contains_all',
        ofTwo((dictionary, all, some) => {
            const members = new Set(dictionary.membersOf(all));
            return dictionary.boolean(dictionary.membersOf(some).every(member => members.has(member)));
        }),
    ],
    ['collections:add', withElement(add)],
    ['collections:remove', withElement((dictionary, c, x) => keeping(dictionary, c, member => member !== x))],
    ['collections:get', eager(get)],
    ['collections:union', ofTwo(union)],
    ['collections:difference', ofTwo(difference)],
    ['collections:intersection', ofTwo(intersection)],
    ['collections:sort', eager(sort)],
    [
        'collections:distinct',
        eager(
            ({ dictionary }) =>
                args =>
                    distinctLike(dictionary, args[0]!, dictionary.membersOf(args[0]!)),
        ),
    ],
    [
        'collections:remove_nulls',
        eager(
            ({ dictionary }) =>
                args =>
                    keeping(dictionary, args[0]!, member => !dictionary.isNull(member)),
        ),
    ],
    ['collections:shuffle', eager(shuffle)],
    ['collections:flatten', eager(flatten)],
    ['collections:slice', eager(slice)],
    [
        'collections:sub_array',
        eager(({ dictionary }) => {
            return args => dictionary.list(dictionary.membersOf(args[0]!).slice(0, Math.max(dictionary.numberOf(args[1]!), 0)));
        }),
    ],
];

function size({ dictionary }: CallSite): Implementation {
    return args => {
        const { length } = dictionary.membersOf(args[0]!);
        return dictionary.number(dictionary.kind(args[0]!) === 'map' ? length / 2 : length);
    };
}

/** The members with a property, in a collection of the same kind; duplicates of a list stay. */
function keeping(dictionary: Dictionary, collection: ValueId, isKept: (member: ValueId) => boolean): ValueId {
    const members = dictionary.membersOf(collection).filter(isKept);
    return dictionary.kind(collection) === 'list' ? dictionary.list(members) : dictionary.set(members);
}

/** The exchanges of Fisher and Yates, as Durstenfeld (1964) ordered them. */
function shuffle({ dictionary, surroundings }: CallSite): Implementation {
    return args => {
        const members = [...dictionary.membersOf(args[0]!)];
        for (let last = members.length - 1; last > 0; last--) {
            const other = randomBelow(last + 1, surroundings.word);
            [members[last], members[other]] = [members[other]!, members[last]!];
        }
        return dictionary.list(members);
    };
}

/** One level of lists is opened; other elements stay. */
function flatten({ dictionary }: CallSite): Implementation {
    return args => {
        const opened = dictionary
            .membersOf(args[0]!)
            .flatMap(member => (dictionary.kind(member) === 'list' ? dictionary.membersOf(member) : [member]));
        return dictionary.list(opened);
    };
}

/** Takes a 1-based start, from the end if it is negative, and a length. A start that is not a position gives the empty list (D-54). */
function slice({ dictionary }: CallSite): Implementation {
    return args => {
        const members = dictionary.membersOf(args[0]!);
        const written = dictionary.numberOf(args[1]!);
        const start = written > 0 ? written - 1 : written < 0 ? members.length + written : -1;
        const length = Math.max(dictionary.numberOf(args[2]!), 0);
        return dictionary.list(start < 0 ? [] : members.slice(start, start + length));
    };
}

function add(dictionary: Dictionary, collection: ValueId, element: ValueId): ValueId {
    const members = [...dictionary.membersOf(collection), element];
    return dictionary.kind(collection) === 'list' ? dictionary.list(members) : distinctLike(dictionary, collection, members);
}

/** The element at a 1-based position of a list, from the end where it is negative, or the value of a key of a map (D-54). */
function get({ dictionary, missing, undefinedFor }: CallSite): Implementation {
    return args => {
        const key = args[1]!;
        switch (dictionary.kind(args[0]!)) {
            case 'list': {
                if (dictionary.isNull(key)) return missing(args);
                if (!dictionary.isNumber(key) || !dictionary.isInteger(key)) return undefinedFor(args);
                const members = dictionary.membersOf(args[0]!);
                const position = dictionary.numberOf(key);
                return members[position > 0 ? position - 1 : position < 0 ? members.length + position : -1] ?? missing(args);
            }
            case 'map': {
                const members = dictionary.membersOf(args[0]!);
                for (let i = 0; i < members.length; i += 2) if (members[i] === key) return members[i + 1]!;
                return missing(args);
            }
            case 'null':
                return missing(args);
            default:
                return undefinedFor(args);
        }
    };
}

function difference(dictionary: Dictionary, left: ValueId, right: ValueId): ValueId {
    const removed = new Set(dictionary.membersOf(right));
    return distinctLike(
        dictionary,
        left,
        dictionary.membersOf(left).filter(member => !removed.has(member)),
    );
}

/** A list in the order of 3.4, but unknown values come first; descending is the reverse. */
function sort({ dictionary, undefinedFor }: CallSite): Implementation {
    const nullsFirst = (a: ValueId, b: ValueId): number => {
        const nulls = Number(dictionary.isNull(b)) - Number(dictionary.isNull(a));
        return nulls === 0 ? compareValues(dictionary, a, b) : nulls;
    };
    return args => {
        const order = args.length > 1 ? dictionary.stringOf(args[1]!) : 'asc';
        if (order !== 'asc' && order !== 'desc') return undefinedFor(args);
        const sorted = [...dictionary.membersOf(args[0]!)].sort(nullsFirst);
        return dictionary.list(order === 'asc' ? sorted : sorted.reverse());
    };
}
