import type { Bind, PredicateKey } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { say } from '#language/program/say.ts';
import type { AskedCall } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { stop } from '../reports/reports.ts';
import type { ValueId } from '../values/value-id.ts';
import { loadSource } from './load.ts';
import { type Asked, planOf, type RunContext, relationOf } from './run-context.ts';

/** Tuples of values that one query is asked for in a run, each in a question of its own. */
const MOST_ASKED = 100_000;

/**
 * Asks the queries of a predicate for the values that have come since the last request (8.6), each tuple once: their rows are facts of the
 * predicate. Nulls are never asked for, since no row equals them.
 */
export async function askQueries(key: PredicateKey, call: AskedCall, context: RunContext): Promise<void> {
    for (const bind of call.binds) await askQuery(key, bind, call, context);
}

async function askQuery(key: PredicateKey, bind: Bind, call: AskedCall, context: RunContext): Promise<void> {
    const { options, plan, dictionary } = context;
    const location = { place: bind.place, span: bind.annotation.span };
    const relation = relationOf(context, key);
    const values = relationOf(context, call.input);
    const asked = askedOf(bind, context);
    const columns = queryParameters(bind).map(column => column - 1);
    const from = columns.map(column => values.columns[call.columns.indexOf(column)]!);
    const tuples = new Map<string, ValueId[]>();
    for (let row = 0; row < values.count; row++) {
        if (values.gone > 0 && values.isGone(row)) continue;
        const tuple = from.map(ids => dictionary.resolve(ids[row]!));
        const text = tuple.join();
        const known = asked.get(text);
        if (known === undefined) {
            if (!tuple.some(id => dictionary.isNull(id))) tuples.set(text, tuple);
        } else if (plan.rewrites) for (const cells of known) relation.add(cells.map(id => dictionary.resolve(id)));
        if (asked.size + tuples.size > MOST_ASKED) refuseMore(bind, location);
    }
    if (tuples.size === 0) return;
    context.checkpoint.check();
    for (const text of tuples.keys()) asked.set(text, []);
    const before = relation.count;
    const source = options.connectors.source(bind) ?? stop('RT061', { location }, bind.type, bind.kind);
    const { predicate } = planOf(context, key);
    const where = { location, bind: predicate.inputBinds.indexOf(bind) };
    await loadSource(predicate, source, relation, context, where, { columns, tuples: [...tuples.values()] });
    if (plan.rewrites) keepRows(relation, before, columns, asked);
}

function askedOf(bind: Bind, { asked }: RunContext): Asked {
    const known = asked.get(bind) ?? new Map();
    asked.set(bind, known);
    return known;
}

/** Equality heads take rows back that are to come again with the same nulls. */
function keepRows(relation: Relation, before: number, columns: readonly number[], asked: Asked): void {
    for (let row = before; row < relation.count; row++) {
        const cells = relation.columns.map(ids => ids[row]!);
        const text = columns.map(column => cells[column]!).join();
        asked.set(text, [...(asked.get(text) ?? []), cells]);
    }
}

function refuseMore(bind: Bind, location: { readonly place: Bind['place']; readonly span: Bind['annotation']['span'] }): never {
    const remedy = say`read the rows with a @bind or a @qbind without parameters, and join them here`;
    return stop('RT064', { location, remedy }, bind.predicate, say`is asked for more than ${countText(MOST_ASKED)} different values`);
}
