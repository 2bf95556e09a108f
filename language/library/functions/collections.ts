import { join, MIXED, type Type, UNKNOWN } from '#language/program/types.ts';
import { type CallShape, functionEntry } from '../function-entry.ts';
import { readLambda } from '../lambda/read-lambda.ts';
import { BOOLEAN, elementType, INT, listOf, typeOfArgument } from '../result-types.ts';

const same = (call: CallShape): Type => typeOfArgument(call, 0);
const element = (call: CallShape): Type => elementType(typeOfArgument(call, 0));

function widened(added: Type, call: CallShape): Type {
    const collection = typeOfArgument(call, 0);
    return collection.kind === 'list' || collection.kind === 'set'
        ? { kind: collection.kind, element: join(collection.element, added) }
        : collection;
}

function got(call: CallShape): Type {
    const from = typeOfArgument(call, 0);
    return from.kind === 'map' ? from.value : elementType(from);
}

function flattened(call: CallShape): Type {
    const inner = element(call);
    if (inner.kind === 'list') return listOf(inner.element);
    return inner.kind === 'unknown' ? listOf(UNKNOWN) : listOf(MIXED);
}

/** The element and its position, in the names that a lambda gives them. */
function transformed(call: CallShape): Type {
    const text = call.arguments[1];
    const read = text?.kind === 'string' ? readLambda(text.value, text.span) : undefined;
    if (!read?.ok) return listOf(MIXED);
    const { parameters, body } = read.lambda;
    return listOf(call.typeIn(body, name => (name === parameters[0] ? element(call) : INT)));
}

const lenient = { strict: false };

/** Collection functions (6.9). The collection is strict, element arguments are not. */
export const COLLECTION_FUNCTIONS = [
    functionEntry('collections:size', 'items: collection-or-map', INT, 'The number of elements.'),
    functionEntry('collections:is_empty', 'items: collection', BOOLEAN, 'True when there is no element.'),
    functionEntry('collections:contains', 'items: collection, value: any', BOOLEAN, 'True when the value is an element.', lenient),
    functionEntry(
        'collections:contains_all',
        'items: collection, values: collection',
        BOOLEAN,
        'True when every one of the values is an element.',
        { aliases: ['containsAll', 'collections:containsAll'] },
    ),
    functionEntry(
        'collections:add',
        'items: collection, value: any',
        call => widened(typeOfArgument(call, 1), call),
        'The collection with one more element.',
        lenient,
    ),
    functionEntry('collections:remove', 'items: collection, value: any', same, 'The collection without an element.', lenient),
    functionEntry(
        'collections:get',
        'items: any, position: any',
        got,
        'The element at a 1-based position, or the value of a key of a map.',
        lenient,
    ),
    functionEntry(
        'collections:union',
        'a: collection, b: collection',
        call => widened(elementType(typeOfArgument(call, 1)), call),
        'The distinct elements of both collections.',
    ),
    functionEntry(
        'collections:difference',
        'a: collection, b: collection',
        same,
        'The distinct elements of the first collection that are not in the second.',
    ),
    functionEntry('collections:intersection', 'a: collection, b: collection', same, 'The distinct elements that are in both collections.'),
    functionEntry(
        'collections:sort',
        'items: collection, order: string?',
        call => listOf(element(call)),
        'The elements in ascending or descending order.',
    ),
    functionEntry('collections:distinct', 'items: collection', same, 'The first occurrence of each element.'),
    functionEntry('collections:remove_nulls', 'items: collection', same, 'The elements without unknown values.'),
    functionEntry('collections:shuffle', 'items: list', same, 'The elements in random order.', { variesBy: 'match' }),
    functionEntry('collections:explode', 'items: collection', element, 'One row for each element. Equal facts count once.'),
    functionEntry('collections:flatten', 'items: list', flattened, 'The elements of the lists in a list.'),
    functionEntry(
        'collections:slice',
        'items: list, start: integer, length: integer',
        same,
        'A part of a list from a 1-based start, for a length.',
        { aliases: ['subList', 'collections:subList'] },
    ),
    functionEntry('collections:sub_array', 'items: list, count: integer', same, 'The first elements of a list.'),
    functionEntry('collections:transform', 'items: list, lambda: string', transformed, 'The results of a small function for each element.'),
    functionEntry('collections:filter', 'items: list, lambda: string', same, 'The elements for which a small function is true.'),
];
