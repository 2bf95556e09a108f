import type { OpenDocument } from '#language/document/open-document.ts';
import type { AnalysedProgram, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { predicatesBelow } from '#language/program/predicates-below.ts';
import { variableNamed } from '../completions/variables.ts';
import type { RuleSkeleton, TypedHead } from './typed-head.ts';

/** Predicates with a wanted column that are looked at for pairs. */
const MOST = 60;

/**
 * `dear(Customer, Total) <- order(Customer, _, Total)`: the atom, or the two atoms with a column in common, that have columns of the names of
 * all variables of the head. A head without variables has the columns of its predicate.
 */
export function bodyOverColumns({ analysed, isUnread }: OpenDocument, typed: TypedHead): RuleSkeleton | undefined {
    const variables = isUnread ? [] : wantedVariables(analysed, typed);
    if (variables.length === 0 || !variables.every(isTelling)) return undefined;
    const wanted = new Map(variables.map(variable => [plainName(variable), variable]));
    if (wanted.size < variables.length) return undefined;
    const offering = offeringPredicates(analysed, typed.name, wanted);
    const one = smallest(offering.filter(({ gives }) => gives.size === wanted.size).map(offer => [offer]));
    const chosen = one ?? smallest(pairs(offering, wanted));
    if (chosen === undefined) return undefined;
    const joined = joinedVariables(chosen);
    return { variables, body: chosen.map(offer => atomText(offer, joined, wanted)).join(', ') };
}

interface Offer {
    readonly predicate: Predicate;
    /** The plain names of its columns, in their order. */
    readonly names: readonly string[];
    /** The wanted ones among `names`. */
    readonly gives: ReadonlySet<string>;
}

function wantedVariables(analysed: AnalysedProgram, { name, variables, isClosed }: TypedHead): readonly string[] {
    if (isClosed) return variables;
    const columns = analysed.predicatesNamed(name).find(({ arity }) => arity > variables.length)?.columns ?? [];
    const more = columns.slice(variables.length).map(column => variableNamed(column.name) ?? '');
    return more.length === 0 ? [] : [...variables, ...more];
}

/** Letters such as `X` say nothing about what they stand for. */
function isTelling(name: string): boolean {
    return plainName(name).length > 1;
}

/** Equal for `CustomerId`, `customer_id` and `customer id`. */
function plainName(name: string): string {
    return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** In the order of their names; what needs the predicate of the head is left out. */
function offeringPredicates(analysed: AnalysedProgram, head: string, wanted: ReadonlyMap<string, string>): readonly Offer[] {
    const offers: Offer[] = [];
    const own = new Set<PredicateKey>(analysed.predicatesNamed(head).map(({ key }) => key));
    for (const predicate of [...analysed.predicates.values()].sort((a, b) => (a.key < b.key ? -1 : 1))) {
        const names = predicate.columns.map(column => plainName(column.name));
        const gives = new Set(names.filter(name => wanted.has(name)));
        if (gives.size === 0 || new Set(names).size < names.length || predicate.name === head) continue;
        if (own.size > 0 && [...predicatesBelow(analysed, [predicate.key])].some(key => own.has(key))) continue;
        offers.push({ predicate, names, gives });
        if (offers.length >= MOST) break;
    }
    return offers;
}

function* pairs(offers: readonly Offer[], wanted: ReadonlyMap<string, string>): Iterable<readonly Offer[]> {
    for (const [i, first] of offers.entries()) {
        for (const second of offers.slice(i + 1)) {
            const isWhole = [...wanted.keys()].every(name => first.gives.has(name) || second.gives.has(name));
            if (isWhole && first.names.some(name => isJoined(name, second))) yield [first, second];
        }
    }
}

function isJoined(name: string, { names }: Offer): boolean {
    return name.length > 1 && names.includes(name);
}

/** With the fewest columns; the first of several. */
function smallest(choices: Iterable<readonly Offer[]>): readonly Offer[] | undefined {
    let best: readonly Offer[] | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const choice of choices) {
        const columns = choice.reduce((sum, { names }) => sum + names.length, 0);
        if (columns >= least) continue;
        [best, least] = [choice, columns];
    }
    return best;
}

/** The variables of the columns that both atoms have, by the plain names of these. */
function joinedVariables([first, second]: readonly Offer[]): ReadonlyMap<string, string> {
    if (first === undefined || second === undefined) return new Map();
    return new Map(
        first.predicate.columns.flatMap(({ name }, i) => {
            const plain = first.names[i] ?? '';
            const variable = isJoined(plain, second) ? variableNamed(name) : undefined;
            return variable === undefined ? [] : [[plain, variable]];
        }),
    );
}

function atomText({ predicate, names }: Offer, joined: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): string {
    const terms = predicate.columns.map((_, i) => {
        const plain = names[i] ?? '';
        return wanted.get(plain) ?? joined.get(plain) ?? '_';
    });
    return `${predicate.name}(${terms.join(', ')})`;
}
