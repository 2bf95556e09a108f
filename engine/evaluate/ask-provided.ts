import type { PredicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Location } from '#language/program/span.ts';
import { MIXED } from '#language/program/types.ts';
import { type Provided, type ProvidedArguments, ProvidedFailed, ProvidedMissing } from '../contracts/providers.ts';
import type { ModelCall, ProvidedCall } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { stop } from '../reports/reports.ts';
import type { ValueId } from '../values/value-id.ts';
import type { KnownReplies } from './builtins/surroundings.ts';
import { stopIfAsked } from './checkpoint.ts';
import { compileExpression } from './expression.ts';
import { modelCall } from './model-call.ts';
import { constantScope, planOf, type RunContext, relationOf } from './run-context.ts';
import { collectionSearch } from './search-collection.ts';

/** Gives each row of values that a call is made with its answer: the row, and the value of the call. */
export async function askProvided(key: PredicateKey, call: ProvidedCall, context: RunContext): Promise<void> {
    const { dictionary, plan } = context;
    const { name, variables, types, searched, place } = call;
    const location = { place, span: call.call.nameSpan };
    const relation = relationOf(context, key);
    const values = relationOf(context, call.input);
    const slots = new Map(variables.map((variable, column) => [variable, column]));
    const scope = {
        ...constantScope(context, place),
        slot: (one: string) => slots.get(one)!,
        type: (one: string) => types.get(one) ?? MIXED,
    };
    await withReplies(
        name,
        location,
        context,
        provided => {
            const evaluate = compileExpression(call.call, { ...scope, surroundings: { ...context.surroundings, provided } });
            const answers: (readonly ValueId[])[] = [];
            for (let row = 0; row < values.count; row++) {
                context.checkpoint.check();
                if (values.gone > 0 && values.isGone(row)) continue;
                const cells = values.columns.map(column => dictionary.resolve(column[row]!));
                if (plan.rewrites && cells.some(id => dictionary.isNull(id)))
                    stop('RT065', { location }, say`A call of '${name}' with an unknown value, in a program with equality heads,`);
                answers.push([...cells, evaluate(Int32Array.from(cells))]);
            }
            return () => {
                for (const row of answers) relation.add(Int32Array.from(row));
            };
        },
        searched && collectionSearch(searched, location, context),
    );
}

/** Fills the answer of `#LLM` (7.6): a row for each of its input. */
export async function askModel(key: PredicateKey, call: ModelCall, context: RunContext): Promise<void> {
    const { location } = call;
    const relation = relationOf(context, key);
    const input = relationOf(context, call.input);
    const { columns } = planOf(context, call.input);
    const scope = constantScope(context, location.place);
    const near = call.facts.map(one => ({ predicate: planOf(context, one).predicate, rows: () => rowsOf(relationOf(context, one)) }));
    await withReplies('#LLM', location, context, provided => {
        const surroundings = { ...context.surroundings, provided };
        const answerRow = modelCall(call, { columns: relation.arity, input: columns, near }, { ...scope, surroundings });
        const answers: (readonly ValueId[])[] = [];
        for (let row = 0; row < input.count; row++) {
            context.checkpoint.check();
            answers.push(answerRow(input.columns.map(column => column[row]!)));
        }
        return () => {
            for (const row of answers) relation.add(Int32Array.from(row));
        };
    });
}

function* rowsOf(relation: Relation): Iterable<readonly ValueId[]> {
    for (let row = 0; row < relation.count; row++)
        if (relation.gone === 0 || !relation.isGone(row)) yield relation.columns.map(column => column[row]!);
}

/**
 * Computes twice: to learn which calls there are, and with all their answers. The host, or who answers in its place, gets those at once that no
 * call of the run has asked before.
 */
async function withReplies(
    name: string,
    location: Location,
    { options, replies }: RunContext,
    compute: (provided: KnownReplies) => () => void,
    search?: Provided,
): Promise<void> {
    const asked = new Map<string, ProvidedArguments>();
    const provided: KnownReplies = own => args => {
        const text = JSON.stringify([own, args]);
        if (!replies.has(text)) asked.set(text, args);
        return replies.get(text);
    };
    const add = compute(provided);
    const missing = (remedy: string | undefined): never => stop('RT060', { location, ...(remedy !== undefined && { remedy }) }, name);
    const answer = search ?? options.providers?.find(name) ?? missing(options.providers?.remedy?.(name));
    if (asked.size === 0) return add();
    try {
        const given = await answer([...asked.values()], () => stopIfAsked(options));
        for (const [i, text] of [...asked.keys()].entries()) replies.set(text, given[i]);
    } catch (error) {
        if (error instanceof ProvidedMissing) missing(error.remedy);
        if (!(error instanceof ProvidedFailed)) throw error;
        const { remedy } = error;
        stop('RT092', { location, ...(remedy !== undefined && { remedy }) }, name, error.message);
    }
    compute(provided)();
}
