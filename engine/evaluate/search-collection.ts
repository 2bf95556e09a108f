import { askOptions } from '#language/library/ask-options.ts';
import type { Column, PredicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Location } from '#language/program/span.ts';
import { isNumeric, type Type } from '#language/program/types.ts';
import type { Provided } from '../contracts/providers.ts';
import type { Relation } from '../relations/relation.ts';
import { stop } from '../reports/reports.ts';
import { FlatIndex } from '../search/flat-index.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { compareValues } from '../values/order.ts';
import { textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { planOf, type RunContext, relationOf } from './run-context.ts';

/** The rows of a predicate by their vectors. */
interface Collection {
    readonly index: FlatIndex;
    readonly dimensions: number;
    /** Of each vector of the index, the row of the relation. */
    readonly rows: readonly number[];
    /** The column of the vectors; undefined where they are made of texts. */
    readonly vectors: number | undefined;
}

/** Hits where a call does not say how many. */
const USUAL_LIMIT = 3;
/** Search indexes of relations. A relation is complete, so that its index stays unless an equality head replaces values. */
const COLLECTIONS = new WeakMap<Relation, Promise<Collection>>();

/**
 * Answers calls of `ask` by a search in a predicate of the program (7.7). The vector of a row is its first list of numbers, else that of its
 * texts, joined by a blank, which the host makes, as it makes that of a prompt.
 */
export function collectionSearch(key: PredicateKey, location: Location, context: RunContext): Provided {
    const { dictionary, plan } = context;
    const { columns } = planOf(context, key);
    const relation = relationOf(context, key);
    const valueAt = (row: number, column: number): ValueId => dictionary.resolve(relation.columns[column]![row]!);
    const order = (a: number, b: number): number => {
        for (const column of columns.keys()) {
            const found = compareValues(dictionary, valueAt(a, column), valueAt(b, column));
            if (found !== 0) return found;
        }
        return 0;
    };
    return async (calls, look) => {
        const kept = plan.rewrites ? undefined : COLLECTIONS.get(relation);
        const collection = kept ?? collectionOf(relation, columns, location, context, look);
        COLLECTIONS.set(relation, collection);
        const { index, dimensions, rows, vectors } = await collection;
        const prompts = [...new Set(calls.flatMap(([asked = '']) => (vectorIn(asked) === undefined ? [asked] : [])))];
        const made = await embedded(prompts, location, context, look);
        const vectorOf = new Map(prompts.map((prompt, i) => [prompt, made[i]]));
        return calls.map(([asked = '', options = '']) => {
            const vector = vectorIn(asked) ?? vectorOf.get(asked);
            if (vector === undefined) return undefined;
            if (rows.length > 0 && vector.length !== dimensions) stop('RT026', { location }, 'ask', vector.length, dimensions);
            const limit = Number(new Map(askOptions(options).map(option => [option.key, option.value])).get('limit') ?? USUAL_LIMIT);
            const nearest = index.nearest(vector, limit, (a, b) => order(rows[a]!, rows[b]!), look);
            const hits = nearest.map(({ row, score }) => {
                const payload = columns.flatMap(({ name, type }, column) =>
                    column === vectors ? [] : [[name, jsonOf(dictionary, valueAt(rows[row]!, column), type)] as const],
                );
                const id = payload[0]?.[1] ?? String(row);
                const fields = [
                    ['__id__', id] as const,
                    ...payload.sort(([a], [b]) => (a < b ? -1 : 1)),
                    ['__score__', String(score)] as const,
                ];
                return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
            });
            return `[${hits.join(',')}]`;
        });
    };
}

async function collectionOf(
    relation: Relation,
    columns: readonly Column[],
    location: Location,
    context: RunContext,
    look: () => void,
): Promise<Collection> {
    const { dictionary, memory } = context;
    const all = Array.from({ length: relation.count }, (_, row) => row).filter(row => relation.gone === 0 || !relation.isGone(row));
    const at = columns.findIndex(({ type }) => type.kind === 'list' && isNumeric(type.element));
    const vectors = at < 0 ? undefined : at;
    const valueAt = (row: number, column: number): ValueId => dictionary.resolve(relation.columns[column]![row]!);
    let found: readonly (ArrayLike<number> | undefined)[];
    if (vectors === undefined) {
        const texts = columns.flatMap(({ type }, column) => (type.kind === 'string' ? [column] : []));
        if (texts.length === 0) stop('RT025', { location }, 'ask', say`a collection that has neither lists of numbers nor texts`);
        const words = all.map(row =>
            texts
                .map(column => valueAt(row, column))
                .flatMap(id => (dictionary.isNull(id) ? [] : [dictionary.stringOf(id)]))
                .join(' '),
        );
        found = await embedded(words, location, context, look);
    } else found = all.map(row => numbersOf(dictionary, valueAt(row, vectors)));
    const rows = all.filter((_, i) => found[i] !== undefined);
    const known = found.flatMap(vector => (vector === undefined ? [] : [vector]));
    const dimensions = known[0]?.length ?? 0;
    const other = known.find(({ length }) => length !== dimensions);
    if (other !== undefined) stop('RT026', { location }, 'ask', dimensions, other.length);
    memory.reserve(FlatIndex.bytesFor(rows.length, dimensions));
    return { index: new FlatIndex(rows.length, dimensions, row => known[row]!), dimensions, rows, vectors };
}

/** The vectors of texts, as the host makes them. */
async function embedded(
    texts: readonly string[],
    location: Location,
    { options: { providers } }: RunContext,
    look: () => void,
): Promise<readonly (readonly number[] | undefined)[]> {
    if (texts.length === 0) return [];
    const name = 'embeddings:vectorize';
    const remedy = providers?.remedy?.(name);
    const vectorize = providers?.find(name) ?? stop('RT060', { location, ...(remedy !== undefined && { remedy }) }, name);
    const different = [...new Set(texts)];
    const replies = await vectorize(
        different.map(text => [text]),
        look,
    );
    const vectorOf = new Map(different.map((text, i) => [text, vectorIn(replies[i] ?? '')]));
    return texts.map(text => vectorOf.get(text));
}

/** The numbers of a list that is written as JSON; undefined for other texts. */
function vectorIn(text: string): readonly number[] | undefined {
    if (!/^\s*\[[-+\d.eE,\s]+\]\s*$/u.test(text)) return undefined;
    try {
        const read: unknown = JSON.parse(text);
        return Array.isArray(read) && read.every(one => typeof one === 'number') ? read : undefined;
    } catch {
        return undefined;
    }
}

function numbersOf(dictionary: Dictionary, list: ValueId): Float64Array | undefined {
    if (dictionary.isNull(list)) return undefined;
    const members = dictionary.membersOf(list);
    return members.every(member => dictionary.isNumber(member))
        ? Float64Array.from(members, member => dictionary.numberOf(member))
        : undefined;
}

function jsonOf(dictionary: Dictionary, id: ValueId, type: Type): string {
    switch (dictionary.kind(id)) {
        case 'null':
            return 'null';
        case 'string':
        case 'date':
        case 'timestamp':
            return JSON.stringify(textOf(dictionary, id, type, String));
        case 'number':
        case 'boolean':
        case 'list':
        case 'set':
        case 'struct':
        case 'map':
            return textOf(dictionary, id, type, String);
    }
}
