import { dataSourceNamed } from '#language/library/data-sources.ts';
import { type TypeEnvironment, typeOfExpression } from '#language/library/expression-type.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { join, MIXED, sameType, type Type, UNKNOWN } from '#language/program/types.ts';
import { bindKey } from './binds.ts';
import type { FactCensus } from './fact-census.ts';
import { mappingOf } from './mappings.ts';
import type { NameFacts, RuleFacts } from './program-facts.ts';
import { type GivenType, parameterTypes, RuleTypes, type TypeSources } from './rule-types.ts';
import { sourceText, sourceType } from './source-texts.ts';

/** A predicate whose column types are looked for. */
export interface UntypedPredicate {
    readonly key: PredicateKey;
    /** The types that facts and sources give its columns. */
    readonly start: readonly Type[];
    /** Of each column, whether a model or a mapping fixes the type. */
    readonly fixed: readonly boolean[];
}

/** A predicate as it is before its rules are looked at; undefined when nothing gives it this arity. */
export function untypedPredicate(key: PredicateKey, facts: NameFacts, arity: number, sources: TypeSources): UntypedPredicate | undefined {
    if (!facts.arities.includes(arity)) return undefined;
    const fields = facts.model?.model.fields;
    if (fields?.length === arity) {
        const start = fields.map((field, i) => withEmptyCells(field.type, facts, i, sources));
        return { key, start, fixed: fields.map(() => true) };
    }
    const mapped = Array.from({ length: arity }, (_, i) => mappingOf(facts.mappings, i)?.type);
    const contributed = contributedTypes(facts, arity, sources);
    return { key, start: contributed.map((type, i) => mapped[i] ?? type), fixed: mapped.map(type => type !== undefined) };
}

/** Column types under way, and those among them that stay. */
interface GrowingTypes {
    readonly types: Type[];
    readonly fixed: readonly boolean[];
}

/**
 * The least column types that fit the rules of predicates that need each other, and the facts and sources of these (3.5).
 * `columns` gives the types of all predicates that are needed first; those of the given ones are put into it.
 */
export function inferTypes(
    predicates: readonly UntypedPredicate[],
    rules: readonly RuleFacts[],
    recursive: boolean,
    columns: Map<PredicateKey, readonly Type[]>,
    sources: TypeSources,
): void {
    const growing = new Map<PredicateKey, GrowingTypes>();
    for (const { key, start, fixed } of predicates) {
        const types = [...start];
        columns.set(key, types);
        growing.set(key, { types, fixed });
    }
    if (!recursive) {
        for (const facts of rules) raised(new RuleTypes(facts, growing, columns, sources).given([]), growing);
        return;
    }
    const readers = readersOf(growing, rules);
    const known = new Map<RuleFacts, RuleTypes>();
    // With the predicates that changed since the rule was looked at. A rule that is added again comes after all that wait.
    const waiting = new Map(rules.map(facts => [facts, new Set<PredicateKey>()]));
    for (const [facts, changed] of waiting) {
        waiting.delete(facts);
        const types = known.get(facts) ?? new RuleTypes(facts, growing, columns, sources);
        known.set(facts, types);
        for (const key of raised(types.given(changed), growing)) {
            for (const reader of readers.get(key) ?? []) {
                const others = waiting.get(reader) ?? new Set();
                waiting.set(reader, others.add(key));
            }
        }
    }
}

/** The rules whose variables have their types from a predicate. */
function readersOf(predicates: ReadonlyMap<PredicateKey, unknown>, rules: readonly RuleFacts[]): Map<PredicateKey, RuleFacts[]> {
    const readers = new Map<PredicateKey, RuleFacts[]>();
    for (const facts of rules) {
        const { literals, reads } = facts.resolved;
        for (const { predicate, negated } of literals) if (!negated && predicates.has(predicate)) append(readers, predicate, facts);
        for (const predicate of reads) append(readers, predicate, facts);
    }
    return readers;
}

function contributedTypes(facts: NameFacts, arity: number, sources: TypeSources): Type[] {
    const types: Type[] = Array.from({ length: arity }, () => UNKNOWN);
    addFacts(types, facts.definitions.get(arity)?.census, parameterTypes(sources));
    for (const { bind } of facts.binds) {
        if (bind.direction === 'output') continue;
        const schema = sources.schemas.get(bindKey(bind)) ?? sources.schemas.get(bind.predicate);
        const areTexts = dataSourceNamed(bind.type)?.isText === true && !bind.options.has('query');
        for (let i = 0; i < arity; i++) {
            const type = sourceType(bind, schema, i) ?? (areTexts ? sourceText(bind, schema, i) : MIXED);
            types[i] = join(types[i] ?? UNKNOWN, type);
        }
    }
    if ((facts.input ?? facts.supplied) !== undefined && facts.binds.length === 0) {
        const schema = sources.schemas.get(facts.name);
        // The columns of an input are up to the host that supplies it.
        const otherwise = facts.input === undefined ? UNKNOWN : MIXED;
        for (let i = 0; i < arity; i++) types[i] = join(types[i] ?? UNKNOWN, schema?.columns[i]?.type ?? otherwise);
    }
    return types;
}

/** A text of a model, of a column that is read as its file has it: its empty cells are known. */
function withEmptyCells(type: Type, { binds, mappings }: NameFacts, column: number, { schemas }: TypeSources): Type {
    const [one, another] = binds.filter(({ bind }) => bind.direction !== 'output');
    if (type.kind !== 'string' || one === undefined || another !== undefined || mappings.length > 0) return type;
    const { empty } = sourceText(one.bind, schemas.get(bindKey(one.bind)) ?? schemas.get(one.bind.predicate), column);
    return empty === undefined ? type : { kind: 'string', empty };
}

function addFacts(types: Type[], census: FactCensus | undefined, parameter: (name: string) => Type): void {
    if (census === undefined) return;
    const environment: TypeEnvironment = { variable: () => UNKNOWN, parameter };
    for (const [i, before] of types.entries()) {
        const { constants, composed } = census.column(i);
        let type = before;
        for (const added of constants) type = joined(type, added);
        for (const term of composed) type = joined(type, typeOfExpression(term, environment));
        types[i] = type;
    }
}

/** Adds types to the columns of predicates; gives the predicates of which a column changed. */
function raised(given: readonly GivenType[], growing: ReadonlyMap<PredicateKey, GrowingTypes>): ReadonlySet<PredicateKey> {
    const changed = new Set<PredicateKey>();
    for (const { predicate, column, type } of given) {
        const { types, fixed } = growing.get(predicate) ?? {};
        if (types === undefined || fixed?.[column]) continue;
        const before = types[column] ?? UNKNOWN;
        const after = joined(before, type);
        if (sameType(before, after)) continue;
        types[column] = after;
        changed.add(predicate);
    }
    return changed;
}

const DEEPEST_TYPE = 6;

/** The join, with collections nested beyond any use given up, so that the fixpoint is reached. */
function joined(before: Type, added: Type): Type {
    return shallow(join(before, added), DEEPEST_TYPE);
}

function shallow(type: Type, depth: number): Type {
    switch (type.kind) {
        case 'list':
        case 'set':
            return depth === 0 ? MIXED : { kind: type.kind, element: shallow(type.element, depth - 1) };
        case 'map':
            return depth === 0 ? MIXED : { kind: 'map', key: shallow(type.key, depth - 1), value: shallow(type.value, depth - 1) };
        case 'struct':
            if (type.fields === undefined) return type;
            return depth === 0
                ? { kind: 'struct' }
                : { kind: 'struct', fields: type.fields.map(field => ({ name: field.name, type: shallow(field.type, depth - 1) })) };
        default:
            return type;
    }
}
