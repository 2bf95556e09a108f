import { typeOfExpression } from '#language/library/expression-type.ts';
import type { Column, Predicate } from '#language/program/analysed-program.ts';
import type { Expression, Fact } from '#language/program/program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { MIXED } from '#language/program/types.ts';
import { factsKey, sourcesKey } from '../plan/facts-relation.ts';
import type { PlanCondition, PlanNeeds } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { argumentsOf, type Report, type ReportContext, report, stop } from '../reports/reports.ts';
import type { AskedValues, GivenRows, RowTarget, Source, SourceCondition, SourceNeeds } from '../sources/source.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileExpression } from './expression.ts';
import { constantScope, planOf, type RunContext, relationOf } from './run-context.ts';

/** Fills the relations of the plan with the facts of the program and the rows of its sources. */
export async function loadAll(context: RunContext): Promise<void> {
    const { plan, checkpoint } = context;
    checkpoint.enter({ phase: 'loading', stratum: 0, strata: plan.strata.length, round: 0 });
    for (const { predicate, internal } of plan.relations.values()) if (!internal) await loadPredicate(predicate, context);
    checkpoint.check();
}

async function loadPredicate(predicate: Predicate, context: RunContext): Promise<void> {
    const { facts, inputBinds, input, rules, key } = predicate;
    if (facts.length === 0 && inputBinds.length === 0) {
        const relation = relationOf(context, key);
        if (!input || rules.length > 0) return;
        const given = context.options.connectors.input?.(predicate.name) ?? stop('RT070', {}, predicate.name);
        await loadSource(predicate, castRows(given, predicate, context), relation, context, { bind: 0 });
        return;
    }
    const base = factsKey(key);
    const relation = relationOf(context, context.plan.relations.has(base) ? base : key);
    loadFacts(predicate, relation, context);
    const apart = sourcesKey(key);
    const rows = context.plan.relations.has(apart) ? relationOf(context, apart) : relation;
    for (const [number, bind] of inputBinds.entries()) {
        if (queryParameters(bind).length > 0) continue;
        const location = { place: bind.place, span: bind.annotation.span };
        const source = context.options.connectors.source(bind) ?? stop('RT061', { location }, bind.type, bind.kind);
        await loadSource(predicate, source, rows, context, { location, bind: number });
    }
}

/** Adds the facts of a predicate to a relation. */
export function loadFacts(predicate: Predicate, relation: Relation, context: RunContext): void {
    const { checkpoint, options } = context;
    const row = new Int32Array(relation.arity);
    const plan = planOf(context, predicate.key);
    const constants = new Constants(context);
    const isCast = predicate.columns.some(column => column.cast);
    for (const [number, fact] of predicate.facts.entries()) {
        if (--checkpoint.left < 0) checkpoint.check();
        const terms = fact.atom.arguments;
        for (let column = 0; column < row.length; column++) row[column] = constants.value(terms[column]!, fact);
        if (isCast) {
            for (let column = 0; column < row.length; column++) {
                const cast = context.casts.castTo(plan, column, constants.typeOf(terms[column]!));
                row[column] = cast?.(row[column]!) ?? row[column]!;
            }
        }
        const before = relation.count;
        if (relation.add(row) === before && options.heights) relation.notes.setFact(before, number + 1);
    }
}

/** The values of the terms of facts; the common kinds need no compiled expression. */
class Constants {
    readonly #context: RunContext;
    readonly #registers = new Int32Array(0);

    constructor(context: RunContext) {
        this.#context = context;
    }

    value(term: Expression, fact: Fact): ValueId {
        const { dictionary } = this.#context;
        if (term.kind === 'integer' && typeof term.value === 'number') return dictionary.number(term.value);
        if (term.kind === 'double') return dictionary.number(term.value);
        if (term.kind === 'string' && !term.value.includes('$')) return dictionary.string(term.value);
        return compileExpression(term, constantScope(this.#context, fact.place))(this.#registers);
    }

    typeOf(term: Expression): ReturnType<typeof typeOfExpression> {
        return typeOfExpression(term, { variable: () => MIXED, parameter: name => this.#context.parameter(name).type });
    }
}

function castRows(given: GivenRows, predicate: Predicate, context: RunContext): Source {
    const plan = planOf(context, predicate.key);
    const casts = predicate.columns.map((_, column) => context.casts.castTo(plan, column, given.types[column] ?? MIXED));
    if (casts.every(cast => cast === undefined)) return given;
    return {
        name: given.name,
        load: ({ addRows: _, ...target }) =>
            given.load({
                ...target,
                add: (row, line) => {
                    for (let column = 0; column < row.length; column++) row[column] = casts[column]?.(row[column]!) ?? row[column]!;
                    target.add(row, line);
                },
            }),
    };
}

/** Sources convert to column types themselves; here their rows are only collected. `bind` is the number of the input bind. */
export async function loadSource(
    predicate: Predicate,
    source: Source,
    relation: Relation,
    context: RunContext,
    { bind, ...where }: Pick<ReportContext, 'location'> & { readonly bind: number },
    asked?: AskedValues,
): Promise<void> {
    const { dictionary, checkpoint } = context;
    let offered = 0;
    let isCut = false;
    const before = relation.count;
    const { needs } = planOf(context, predicate.key);
    let number = relation.notes.sourceNumber({ name: source.name, bind, counts: 'lines' });
    const single = predicate.columns.map(() => new Int32Array(1));
    const addRows = (columns: readonly Int32Array[], count: number, line: number): void => {
        relation.offer(needs === undefined ? columns : needs.columns.map(column => columns[column]!), count, line, number);
        offered += count;
        checkpoint.left -= count;
        if (checkpoint.left < 0) checkpoint.check();
    };
    const target: RowTarget = {
        dictionary,
        columns: predicate.columns,
        add: (row, line) => {
            for (let column = 0; column < row.length; column++) single[column]![0] = row[column]!;
            addRows(single, 1, line);
        },
        addRows,
        enterFile: (name, counts) => {
            number = relation.notes.sourceNumber({ name, bind, counts });
        },
        ...(needs && { needs: sourceNeeds(needs, context) }),
        checkpoint: () => checkpoint.check(),
        report: found => {
            isCut ||= isMany(found);
            context.report(found);
        },
    };
    await source.load(target, asked);
    relation.settle();
    const duplicates = offered - (relation.count - before);
    if (duplicates > 0 && (needs === undefined || needs.columns.length === predicate.arity)) {
        const isPart =
            isCut || predicate.inputBinds.some(({ options }) => options.has('selectedColumns')) || predicate.columns.some(isMapped);
        context.report(report('RT072', { ...where, source: { file: source.name } }, duplicates, isPart));
    }
}

/** Rows have more cells than the predicate has columns. */
function isMany(told: Report): boolean {
    return argumentsOf(told, 'RT071')?.[1] === 'many';
}

function isMapped({ mapped }: Column): boolean {
    return mapped !== undefined;
}

function sourceNeeds({ columns, rows, anyRow }: PlanNeeds, context: RunContext): SourceNeeds {
    const evaluated = (condition: PlanCondition): SourceCondition => {
        if (!('value' in condition)) return condition;
        const { column, test, value, place } = condition;
        return { column, test, value: compileExpression(value, constantScope(context, place))(new Int32Array(0)) };
    };
    return {
        columns: new Set(columns),
        ...(rows && { rows: rows.map(conditions => conditions.map(evaluated)) }),
        ...(anyRow && { anyRow }),
    };
}
