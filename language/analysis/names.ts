import type { Bind, SourceSchema } from '#language/program/analysed-program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { type ClausePlace, comparePlaces, type Location } from '#language/program/span.ts';
import { bindKey, selectedColumnCount } from './binds.ts';
import type { NameDeclarations } from './declarations.ts';
import { hasOneFact } from './one-fact.ts';
import type { AtomMatch, Definition, NamedAnnotation, NameFacts, NameMeaning } from './program-facts.ts';
import { columnNames } from './queries.ts';

/** Facts about one name from the clauses of a program. */
export interface NameUse {
    readonly name: string;
    /** In the order of their first places. */
    readonly definitions: ReadonlyMap<number, Definition>;
    readonly used: boolean;
    /** The largest number of terms of an atom of this name; asked for only when nothing else tells the columns. */
    readonly largestUse: () => number;
    /** A clause with a syntax error mentions the name. */
    readonly broken: boolean;
    readonly mentioned: boolean;
}

/** Joins the facts that clauses and annotations give about a name. */
export function nameFacts(use: NameUse, declarations: NameDeclarations, schemas: ReadonlyMap<string, SourceSchema>): NameFacts {
    const { name, definitions, used, broken, mentioned } = use;
    const { input, ...others } = declarations;
    const declared = input === undefined || isSupplied(use, input) ? others : declarations;
    const columns = columnsOf(use, declared, schemas);
    return { name, definitions, used, possiblyDefined: broken, mentioned: mentioned || broken, ...declared, ...columns };
}

/** Another file of the program gives rows to what a module declares as its input. */
function isSupplied({ definitions }: NameUse, { place: { file } }: NamedAnnotation): boolean {
    const isElsewhere = ({ place }: { readonly place: ClausePlace }): boolean => place.file !== file;
    return [...definitions.values()].some(({ facts, rules }) => facts.some(isElsewhere) || rules.some(isElsewhere));
}

/** A body item with such a name is an atom (1.1): heads, facts, binds, declarations or models introduce it. */
export function isIntroduced({ definitions, broken }: Pick<NameUse, 'definitions' | 'broken'>, declared: NameDeclarations): boolean {
    const { model, binds, input, output } = declared;
    return definitions.size > 0 || broken || model !== undefined || binds.length > 0 || input !== undefined || output !== undefined;
}

function columnsOf(
    use: NameUse,
    { model, binds, mappings, input }: NameDeclarations,
    schemas: ReadonlyMap<string, SourceSchema>,
): Pick<NameFacts, 'arities' | 'openColumns' | 'schema' | 'supplied'> {
    const queryRules = use.definitions.get(0)?.rules.some(head => head.rule.body.kind === 'query') ?? false;
    const written = [...use.definitions.keys()].filter(arity => !(queryRules && arity === 0));
    if (model !== undefined) written.push(model.model.fields.length);
    if (written.length > 0) return { arities: [...new Set(written)].sort((a, b) => a - b), openColumns: false };
    const external = input !== undefined || schemas.has(use.name) || binds.some(({ bind }) => bind.direction === 'input');
    if (!external && !queryRules) return { arities: [], openColumns: false };
    const counts = binds.map(({ bind }) => columnCount(bind, schemas)).filter(count => count !== undefined);
    const [schema] = binds.flatMap(({ bind }) => schemas.get(bindKey(bind)) ?? schemas.get(use.name) ?? []);
    const supplied = schemas.get(use.name);
    const known = counts[0] ?? supplied?.columns.length;
    const mapped = Math.max(0, ...mappings.map(({ position }) => (position < MOST_COLUMNS ? position + 1 : 0)));
    return {
        arities: [known ?? Math.max(mapped, use.largestUse())],
        openColumns: true,
        ...(schema !== undefined && { schema }),
        ...(supplied !== undefined && { supplied }),
    };
}

/** A mapping beyond this is a mistake and does not make a predicate wide. */
const MOST_COLUMNS = 10_000;

/** The place of the first head or fact. */
export function firstPlace({ facts: [fact], rules: [head] }: Definition): Location | undefined {
    const ofFact = fact && { place: fact.place, span: fact.atom.nameSpan };
    const ofHead = head && { place: head.place, span: head.atom.nameSpan };
    if (ofFact === undefined || ofHead === undefined) return ofFact ?? ofHead;
    return comparePlaces(ofFact.place, ofHead.place) < 0 ? ofFact : ofHead;
}

/** The number of columns of a bind, as far as its options or the host tell. */
export function columnCount(bind: Bind, schemas: ReadonlyMap<string, SourceSchema>): number | undefined {
    return selectedColumnCount(bind) ?? (schemas.get(bindKey(bind)) ?? schemas.get(bind.predicate))?.columns.length;
}

/** Returns the facts about a name that rules need. */
export function meaningOf(facts: NameFacts, nearest: string | undefined, successor: string | undefined): NameMeaning {
    const { name, arities, openColumns, possiblyDefined, model, binds, mappings, schema } = facts;
    const columns = columnNames(facts);
    const headed = mappings.length === 0 && schema?.columns.some(column => column.name !== undefined) === true;
    const written = binds.some(({ bind }) => bind.direction === 'output') ? arities[0] : undefined;
    const queried = [...new Set(binds.flatMap(({ bind }) => queryParameters(bind)))].filter(
        column => column >= 1 && column <= (arities[0] ?? 0),
    );
    return {
        name,
        arities,
        openColumns,
        ...(headed && { headed }),
        ...(columns !== undefined && { columns }),
        ...(schema?.delimiter !== undefined && { delimiter: schema.delimiter }),
        possiblyDefined,
        ...(binds.some(({ bind }) => bind.type === 'qdrant') && { vectorStore: true as const }),
        emptyModel: isEmptyModel(facts),
        ...(hasOneFact(facts) && { hasOneFact: true as const }),
        ...(model !== undefined && { fields: model.model.fields.length }),
        ...(written !== undefined && { written }),
        ...(queried.length > 0 && { queryParameters: queried }),
        ...(nearest !== undefined && { nearest }),
        ...(successor !== undefined && { successor }),
    };
}

/** A model describes the predicate, and nothing gives it rows. */
function isEmptyModel(name: NameFacts): boolean {
    const fed = name.definitions.size > 0 || name.input !== undefined || name.binds.some(({ bind }) => bind.direction === 'input');
    return name.model !== undefined && !fed && !name.possiblyDefined;
}

/** Rules use the name, or an output shows it, and nothing defines it. */
export function isUndefined(facts: NameFacts, asked: boolean): boolean {
    const missing = facts.arities.length === 0 && !facts.possiblyDefined && facts.name !== '' && !isEmptyModel(facts);
    return missing && (asked || facts.output !== undefined);
}

export function sameMeaning(a: NameMeaning, b: NameMeaning): boolean {
    return (
        a.openColumns === b.openColumns &&
        a.headed === b.headed &&
        (a.columns ?? []).join('\n') === (b.columns ?? []).join('\n') &&
        a.delimiter === b.delimiter &&
        a.possiblyDefined === b.possiblyDefined &&
        a.emptyModel === b.emptyModel &&
        a.hasOneFact === b.hasOneFact &&
        a.vectorStore === b.vectorStore &&
        a.fields === b.fields &&
        a.written === b.written &&
        (a.queryParameters ?? []).join() === (b.queryParameters ?? []).join() &&
        a.nearest === b.nearest &&
        a.successor === b.successor &&
        a.arities.length === b.arities.length &&
        a.arities.every((arity, i) => arity === b.arities[i])
    );
}

/** The arity that an atom with `given` terms means, and how it was found (D-24). */
export function matchAtom(name: NameMeaning | undefined, given: number): { readonly arity: number; readonly match: AtomMatch } {
    const arities = name?.arities ?? [];
    if (arities.includes(given)) return { arity: given, match: 'exact' };
    const larger = arities.filter(arity => arity > given);
    const [smallestLarger] = larger;
    const largest = arities.at(-1);
    if (smallestLarger !== undefined) {
        if (larger.length > 1) return { arity: smallestLarger, match: 'ambiguous' };
        return { arity: smallestLarger, match: name?.openColumns ? 'open-projection' : 'projection' };
    }
    return largest === undefined ? { arity: given, match: 'undefined' } : { arity: largest, match: 'too-many' };
}
