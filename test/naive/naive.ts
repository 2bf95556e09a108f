import type { RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { type KnownReplies, type Surroundings, surroundings } from '#engine/evaluate/builtins/surroundings.ts';
import { compileExpression } from '#engine/evaluate/expression.ts';
import { shown } from '#engine/evaluate/expression-site.ts';
import { modelCall } from '#engine/evaluate/model-call.ts';
import { sampler } from '#engine/evaluate/relation-question.ts';
import type { Scope } from '#engine/evaluate/scope.ts';
import { isGraphCall } from '#engine/plan/plan.ts';
import { answerKey, answerRelations, readingAnswer } from '#engine/plan/relation-call.ts';
import { stopAtLimit } from '#engine/reports/limit-reached.ts';
import { type Report, RunStopped, report, stop } from '#engine/reports/reports.ts';
import { castText, castValue } from '#engine/values/cast.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { typeOfExpression } from '#language/library/expression-type.ts';
import type { AnalysedProgram, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { MIXED, printType, type Type } from '#language/program/types.ts';
import { naiveAnswer } from './naive-answer.ts';
import { NaiveChase } from './naive-chase.ts';
import { NaiveLevels } from './naive-levels.ts';
import { NaiveRelation, type Tuple } from './naive-relation.ts';
import { type NaiveContext, NaiveRule } from './naive-rule.ts';

/**
 * Evaluates a program straight from the reference text: nested loops over plain arrays, all rules of a stratum again
 * and again until nothing changes. It is slow, plans nothing and is kept for tests, which compare it with the evaluator.
 */
export async function evaluateNaive(program: AnalysedProgram, options: NaiveOptions): Promise<RunOutcome> {
    const reports: Report[] = [];
    try {
        return await new NaiveRun(program, options, reports).run();
    } catch (thrown) {
        if (!(thrown instanceof RunStopped)) throw thrown;
        return { ok: false, reports: [...reports, thrown.report] };
    }
}

/** `provided` answers calls at once, where they stand. */
export interface NaiveOptions extends RunOptions {
    readonly provided?: KnownReplies;
}

class NaiveRun {
    readonly #program: AnalysedProgram;
    readonly #options: RunOptions;
    readonly #reports: Report[];
    readonly #dictionary = new Dictionary();
    readonly #parameters = new Map<string, { readonly value: ValueId; readonly type: Type }>();
    readonly #surroundings: Surroundings;
    readonly #relations: Map<PredicateKey, NaiveRelation>;
    /** By the key of the internal relation that a rule with a relation function reads. */
    readonly #answers = new Map<PredicateKey, readonly Tuple[]>();
    readonly #base = new Map<PredicateKey, readonly Tuple[]>();
    #rounds = 0;

    constructor(program: AnalysedProgram, options: NaiveOptions, reports: Report[]) {
        this.#program = program;
        this.#options = options;
        this.#reports = reports;
        this.#surroundings = surroundings(options, options.provided);
        this.#relations = new Map([...program.predicates].map(([key, { arity }]) => [key, new NaiveRelation(arity)]));
    }

    async run(): Promise<RunOutcome> {
        const [unsupported] = this.#program.unsupported;
        if (unsupported !== undefined) stop(unsupported.code, { location: unsupported }, unsupported.construct);
        this.#readParameters();
        for (const predicate of this.#program.predicates.values()) await this.#load(predicate);
        const context: NaiveContext = {
            program: this.#program,
            scope: this.#groundScope(),
            tuples: predicate => this.#relations.get(predicate)?.tuples ?? this.#answer(predicate),
        };
        const rules = this.#program.rules.map(rule => new NaiveRule(readingAnswer(rule), context));
        const chase = this.#program.chase.weaklyAcyclic
            ? undefined
            : new NaiveChase(this.#program, this.#options, this.#dictionary, one => this.#reports.push(one));
        new NaiveLevels(this.#program, rules, this.#dictionary, {
            relations: this.#relations,
            base: this.#base,
            maxRounds: this.#options.limits.maxRounds,
            ...(chase === undefined ? {} : { chase }),
            cast: (predicate, column, value, from) => this.#castTo(this.#program.predicates.get(predicate), column, value, from),
            checkpoint: round => this.#checkpoint(round),
            forgetAnswers: () => this.#answers.clear(),
        }).run(context);
        const rows = new Map([...this.#relations].map(([key, relation]) => [key, relation.rows()]));
        return {
            ok: true,
            reports: this.#reports,
            database: {
                program: this.#program,
                dictionary: this.#dictionary,
                relation: predicate => rows.get(predicate),
                parameters: new Map([...this.#parameters].map(([name, { value }]) => [name, value])),
                now: this.#surroundings.now,
            },
            statistics: {
                facts: [...rows.values()].reduce((sum, { count }) => sum + count, 0),
                rounds: this.#rounds,
                loading: 0,
                evaluating: 0,
                peakBytes: 0,
            },
        };
    }

    /** The rows of a relation function; its input is finished when they are first asked for. */
    #answer(key: PredicateKey): readonly Tuple[] {
        const known = this.#answers.get(key);
        if (known !== undefined) return known;
        const rule = this.#program.rules.find(one => answerKey(one) === key);
        const relation = rule && answerRelations(this.#program, rule).at(-1);
        const { call, arity = 0 } = relation ?? {};
        if (call === undefined || (call.function !== 'LLM' && !isGraphCall(call))) return [];
        const input = this.#relations.get(call.input)?.tuples ?? [];
        const scope = { ...this.#groundScope(), place: call.location.place };
        const tuples =
            call.function === 'LLM'
                ? input.map(
                      modelCall(
                          call,
                          { columns: arity, input: this.#program.predicates.get(call.input)?.columns ?? [], near: this.#near(call.facts) },
                          scope,
                      ),
                  )
                : naiveAnswer(call, arity, input, scope, sampler(this.#options));
        this.#answers.set(key, tuples);
        return tuples;
    }

    #near(keys: readonly PredicateKey[]) {
        return keys.flatMap(key => {
            const predicate = this.#program.predicates.get(key);
            return predicate === undefined ? [] : [{ predicate, rows: () => this.#relations.get(key)?.tuples ?? [] }];
        });
    }

    #checkpoint(round: number): void {
        this.#rounds++;
        const { maxRounds, maxNullDepth } = this.#options.limits;
        if (round > maxRounds) stopAtLimit('rounds', maxRounds, undefined);
        const { weaklyAcyclic, warded } = this.#program.chase;
        if (weaklyAcyclic || warded || this.#dictionary.deepestNull <= maxNullDepth) return;
        stopAtLimit('nested unknown values', maxNullDepth, undefined);
    }

    /** A scope without variables, for facts and parameters. */
    #groundScope(): Scope {
        const prefixes = this.#program.libraryPrefixes;
        return {
            ...(prefixes === undefined ? {} : { libraryPrefixes: prefixes }),
            dictionary: this.#dictionary,
            place: { file: this.#program.program.file, offset: 0, line: 0, column: 0 },
            slot: () => 0,
            type: () => MIXED,
            parameter: name => this.#parameters.get(name) ?? { value: this.#dictionary.freshNull(`?${name}`), type: MIXED },
            report: one => this.#reports.push(one),
            surroundings: this.#surroundings,
        };
    }

    /** Defaults may have others in their texts: read so often, they have got through every chain of them. */
    #readParameters(): void {
        for (let pass = 0; pass < this.#program.parameters.size; pass++) this.#readParametersOnce();
    }

    /** Defaults, and the values given for this run, converted to the type of the default (D-64). */
    #readParametersOnce(): void {
        const scope = this.#groundScope();
        for (const { name, value } of this.#program.parameters.values()) {
            const type = value === undefined ? MIXED : typeOfExpression(value, { variable: () => MIXED, parameter: () => MIXED });
            const given = this.#options.parameters.get(name);
            if (given !== undefined) this.#parameters.set(name, { type, value: this.#given(name, given, type) });
            else if (value !== undefined) this.#parameters.set(name, { type, value: compileExpression(value, scope)(new Int32Array(0)) });
        }
    }

    #given(name: string, given: unknown, type: Type): ValueId {
        const dictionary = this.#dictionary;
        const element = type.kind === 'list' || type.kind === 'set' ? type.element : MIXED;
        if (Array.isArray(given)) return dictionary.list(given.map(one => this.#given(name, one, element)));
        const cast =
            typeof given === 'string'
                ? castText(dictionary, given, type)
                : typeof given === 'number'
                  ? castValue(dictionary, dictionary.number(given), type, MIXED)
                  : typeof given === 'boolean'
                    ? castValue(dictionary, dictionary.boolean(given), type, MIXED)
                    : undefined;
        return cast ?? stop('RT080', {}, name, String(given), printType(type));
    }

    async #load(predicate: Predicate): Promise<void> {
        const relation = this.#relations.get(predicate.key)!;
        const scope = this.#groundScope();
        const hasRows = predicate.facts.length > 0 || predicate.inputBinds.length > 0 || predicate.rules.length > 0;
        if (predicate.input && !hasRows) stop('RT070', {}, predicate.name);
        for (const fact of predicate.facts) {
            const terms = fact.atom.arguments.map((term, column) => {
                const value = compileExpression(term, { ...scope, place: fact.place })(new Int32Array(0));
                const type = typeOfExpression(term, { variable: () => MIXED, parameter: name => scope.parameter(name).type });
                return this.#cast(predicate, column, value, type);
            });
            relation.add(terms);
        }
        for (const bind of predicate.inputBinds) {
            const location = { place: bind.place, span: bind.annotation.span };
            const source = this.#options.connectors.source(bind);
            if (source === undefined) stop('RT061', { location }, bind.type, bind.kind);
            let duplicates = 0;
            await source.load({
                dictionary: this.#dictionary,
                columns: predicate.columns,
                add: row => {
                    if (!relation.add(Array.from(row))) duplicates++;
                },
                checkpoint: () => {},
                report: one => this.#reports.push(one),
            });
            if (duplicates > 0) this.#reports.push(report('RT072', { location }, duplicates));
        }
        this.#base.set(predicate.key, relation.tuples);
    }

    /** The matches of equality heads and constraints belong to no predicate and are not cast. */
    #castTo(predicate: Predicate | undefined, column: number, value: ValueId, from: Type): ValueId {
        return predicate === undefined ? value : this.#cast(predicate, column, value, from);
    }

    #cast(predicate: Predicate, column: number, value: ValueId, from: Type): ValueId {
        const { type, cast, name } = predicate.columns[column]!;
        if (!cast) return value;
        const result = castValue(this.#dictionary, value, type, from);
        if (result !== undefined) return result;
        const example = shown(this.#dictionary, value, from);
        this.#reports.push(report('RT021', {}, 1, printType(type), name, predicate.name, example));
        return this.#dictionary.labelledNull(`as_${type.kind}`, [value], false);
    }
}
