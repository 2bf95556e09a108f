import { ApiError } from '#server/protocol/platform/api-error.ts';
import { type ConceptTexts, conceptText, typeName } from './concept-texts.ts';
import { definitionHash, type dependenciesAmong, type SavedConcept } from './saved-concept.ts';

/** The concepts of a project, and what reads their texts. */
interface Surroundings {
    readonly all: readonly Pick<SavedConcept, 'name' | 'reading'>[];
    readonly dependenciesOf: ReturnType<typeof dependenciesAmong>;
    readonly find: (name: string) => Promise<SavedConcept | undefined>;
    readonly texts: ConceptTexts;
}

/** Types of columns by definition and by the types of what it reads; the ones used longest ago come first. */
const remembered = new Map<string, readonly string[]>();
const MOST_REMEMBERED = 10_000;

/**
 * The types of the columns of concepts before a run, as answers call them, by name. A definition whose types depend on other concepts is read
 * again with theirs; where concepts read each other, one of them counts as its definition alone tells.
 */
export async function typesBeforeRun(
    names: readonly string[],
    { all, dependenciesOf, find, texts }: Surroundings,
): Promise<ReadonlyMap<string, readonly string[]>> {
    const types = new Map(all.flatMap(({ name, reading }) => (reading.types === undefined ? [] : [[name, reading.types] as const])));
    const isOpen = (name: string): boolean => types.get(name)?.includes('UNKNOWN') === true;
    const entered = new Map<string, { readonly concept: SavedConcept; readonly inputs: readonly string[] }>();
    const stack = names.filter(isOpen);
    for (let name = stack.at(-1); name !== undefined; name = stack.at(-1)) {
        const known = entered.get(name);
        const concept = known === undefined ? await find(name) : undefined;
        if (concept === undefined) {
            stack.pop();
            if (known === undefined || !isOpen(name)) continue;
            const supplied = known.inputs.map(input => [input, types.get(input) ?? []] as const);
            const tells = supplied.some(([, given]) => given.some(type => type !== 'UNKNOWN'));
            if (tells) types.set(name, await typesWith(known.concept, supplied, texts));
            continue;
        }
        const inputs = dependenciesOf(concept);
        entered.set(name, { concept, inputs });
        stack.push(...inputs.filter(input => isOpen(input) && !entered.has(input)));
    }
    return types;
}

/** The types of a concept's columns with those of the columns that it reads. */
async function typesWith(
    concept: SavedConcept,
    supplied: readonly (readonly [string, readonly string[]])[],
    texts: ConceptTexts,
): Promise<readonly string[]> {
    const key = JSON.stringify([concept.name, definitionHash(concept), supplied]);
    const types = remembered.get(key) ?? (await readTypes(concept, supplied, texts));
    // The next reader tries again; this one gets the types from when the concept was saved.
    if (types === undefined) return concept.reading.types ?? [];
    remembered.delete(key);
    remembered.set(key, types);
    for (const oldest of remembered.keys()) {
        if (remembered.size <= MOST_REMEMBERED) break;
        remembered.delete(oldest);
    }
    return types;
}

/** Reads a definition with the types of the columns that it reads; undefined if the reading of texts is refused, such as for want of time. */
async function readTypes(
    concept: SavedConcept,
    supplied: readonly (readonly [string, readonly string[]])[],
    texts: ConceptTexts,
): Promise<readonly string[] | undefined> {
    const { reading, name } = concept;
    try {
        const read = await texts.read({ ...conceptText(concept), supplied });
        return (read.kind === 'logic' && read.value.columns.get(name)?.map(typeName)) || (reading.types ?? []);
    } catch (error) {
        if (error instanceof ApiError) return undefined;
        throw error;
    }
}
