import { collectionOf } from '#language/library/ask-options.ts';
import { isHeaded } from '#language/library/connected-sources.ts';
import { factPredicates } from '#language/library/model-question.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import type { Body, Expression, Rule } from '#language/program/program.ts';
import type { SqlReader, SqlReading, TableColumn } from '#language/program/sql-reading.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { hasHeader } from './binds.ts';
import type { KeyInterner } from './key-interner.ts';
import { mappingOf } from './mappings.ts';
import type { Meanings, NameFacts, NameMeaning, QueryFacts, QueryTableFacts } from './program-facts.ts';

/** Reads the query of a rule by itself. Undefined for rules without a query, and if the host reads no SQL. */
export type QueryOf = (rule: Rule) => SqlReading | undefined;

/** Reads the queries of rules, each once. */
export function queryReader(sql: SqlReader | undefined): QueryOf {
    if (sql === undefined) return () => undefined;
    const readings = new WeakMap<Rule, SqlReading>();
    return rule => {
        const query = sqlOf(rule);
        if (query === undefined) return undefined;
        const known = readings.get(rule) ?? sql(query.text);
        readings.set(rule, known);
        return known;
    };
}

/** The names of the predicates that a body needs whole, as it writes them. */
export function wholeInputs(rule: Rule, queryOf: QueryOf): readonly string[] {
    const { body } = rule;
    const facts = calledFacts(rule);
    if (body.kind === 'relation-function' && body.call.input.kind === 'predicate') return [body.call.input.text, ...facts];
    return [...(queryOf(rule)?.tables.map(({ name }) => name) ?? NONE), ...facts];
}

/** Returns the predicates whose facts a rule sends to a model beside its input. */
export function calledFacts({ body }: Rule): readonly string[] {
    return body.kind === 'relation-function' && body.call.name === 'LLM' ? factPredicates(body.call.options?.value ?? '') : NONE;
}

const NONE: readonly string[] = [];

/** The names of the collections that calls in a rule search (7.7), as they write them. */
export function searchedCollections({ head, body }: Rule): readonly string[] {
    if (body.kind !== 'items') return NONE;
    const found: string[] = [];
    const visit = (expression: Expression): void =>
        visitExpression(expression, part => {
            const name = part.kind === 'call' ? collectionOf(part) : undefined;
            if (name !== undefined && !found.includes(name)) found.push(name);
        });
    for (const item of body.items) if (item.kind === 'expression') visit(item.expression);
    if (head.kind === 'atoms') for (const { arguments: terms } of head.atoms) for (const term of terms) visit(term);
    return found.length === 0 ? NONE : found;
}

/** The store in which a vector query searches, with its place in the text of the query. */
export function searchedStore(body: Body): { readonly name: string; readonly at: number } | undefined {
    if (body.kind !== 'query' || body.language !== 'vector') return undefined;
    const [, before = '', name] = SEARCHED.exec(body.text) ?? [];
    return name === undefined ? undefined : { name, at: before.length };
}

const SEARCHED = /^((?:select|ask)\s+"(?:[^"]|"")*"\s+from\s+)([A-Za-z_]\w*)/iu;

/** The query of a rule with the predicates that its tables mean. `meant` gives the name of a predicate for that of a table. */
export function queryFacts(
    rule: Rule,
    queryOf: QueryOf,
    meant: (table: string) => string,
    meaningOf: Meanings,
    keyOf: KeyInterner,
): QueryFacts | undefined {
    const reading = queryOf(rule);
    if (reading === undefined) return undefined;
    const tables = reading.tables.map(({ name: table, start, end }): QueryTableFacts => {
        const name = meant(table);
        const meaning = meaningOf(name);
        const arity = meaning?.arities.at(-1) ?? 0;
        const columns = Array.from({ length: arity }, (_, i) => meaning?.columns?.[i] ?? `${name}_${i}`);
        return { name: table, predicate: keyOf(name, arity), columns, isKnown: isKnown(meaning), start, end };
    });
    const width = reading.width ?? querySchemaOf({ reading, tables }, () => undefined).columns?.length;
    return { reading, tables, ...(width === undefined ? {} : { width }) };
}

/** Whether it is known which columns the predicate has. */
function isKnown(meaning: NameMeaning | undefined): boolean {
    if (meaning === undefined || meaning.arities.length === 0 || meaning.possiblyDefined) return false;
    return !meaning.openColumns || meaning.columns !== undefined;
}

/** Returns the schema of a query's result over tables whose columns have these types. */
export function querySchemaOf(
    { reading, tables }: Pick<QueryFacts, 'reading' | 'tables'>,
    typesOf: (key: PredicateKey) => readonly Type[] | undefined,
): ReturnType<SqlReading['schema']> {
    return reading.schema(name => {
        const table = tables.find(one => one.name === name);
        if (table?.isKnown !== true) return undefined;
        const types = typesOf(table.predicate);
        return table.columns.map((column, i): TableColumn => ({ name: column, position: `${table.name}_${i}`, type: types?.[i] ?? MIXED }));
    });
}

/** Returns names for the columns of a predicate in queries, from its model, mappings or source. Undefined if none of them has names. */
export function columnNames({
    model,
    mappings,
    binds,
    schema: ofSource,
    supplied,
    arities,
}: NameFacts): readonly (string | undefined)[] | undefined {
    const [arity = 0] = arities;
    const schema = ofSource ?? supplied;
    const fields = model?.model.fields.length === arity ? model.model.fields : undefined;
    const isNamed = binds.length < 2 && binds.every(({ bind }) => !isHeaded(bind.type) || hasHeader(bind));
    const headers = isNamed ? schema?.columns : undefined;
    if (fields === undefined && mappings.length === 0 && schema === undefined) return undefined;
    return Array.from({ length: arity }, (_, i) => fields?.[i]?.name ?? mappingOf(mappings, i)?.column ?? headers?.[i]?.name);
}
