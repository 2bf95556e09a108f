import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DerivationNode, PremiseNode } from '#engine/explain/explanation.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import type { Replay } from '#engine/explain/replay.ts';
import { factText } from '#engine/values/fact-text.ts';
import { termText } from '#engine/values/text.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import { refuse } from '#server/notices/refusal.ts';
import type { Frame } from './frames.ts';
import { valueText } from './match-view.ts';

type Variable = DebugProtocol.Variable;

/** The contents of a scope or a value, made on demand. */
interface Children {
    readonly named?: () => readonly Variable[];
    readonly indexed?: { readonly count: number; readonly at: (index: number) => Variable };
}

/** Children that a client gets if it does not ask for parts. */
const UNASKED = 1000;

/** Values that a client can look into while nothing moves; then references are forgotten. */
export class Inspection {
    readonly #replay: Replay;
    readonly #step: number;
    readonly #children: Children[] = [];

    constructor(replay: Replay, step: number) {
        this.#replay = replay;
        this.#step = step;
    }

    scopes(frame: Frame | undefined): DebugProtocol.Scope[] {
        const { match, derivation } = frame ?? {};
        const found: DebugProtocol.Scope[] = [];
        if (match !== undefined) {
            const values = [...match.values];
            const variablesReference = this.#add({
                named: () => values.map(([name, value]) => plain(name, valueText(this.#replay, match, name, value), name)),
            });
            found.push({
                name: say`Match`,
                presentationHint: 'locals',
                variablesReference,
                namedVariables: values.length,
                expensive: false,
            });
        }
        if (derivation !== undefined) {
            const variablesReference = this.#add({ named: () => this.#premises(derivation) });
            found.push({ name: say`Premises`, variablesReference, expensive: false });
        }
        const relations = this.#add({ named: () => this.#relations() });
        found.push({ name: say`Relations`, variablesReference: relations, expensive: false });
        const { parameters } = this.#replay.database;
        if (parameters.size > 0)
            found.push({ name: say`Parameters`, variablesReference: this.#add({ named: () => this.#parameters() }), expensive: false });
        return found;
    }

    /** Children of a scope or value, in part where the client asks so. */
    variables({ variablesReference, filter, start = 0, count }: DebugProtocol.VariablesArguments): Variable[] {
        const children = this.#children[variablesReference - 1] ?? refuse(say`Nothing is known of this any more`);
        const { named, indexed } = children;
        const found: Variable[] = filter === 'indexed' ? [] : [...(named?.() ?? [])];
        if (indexed === undefined || filter === 'named') return found;
        const isAsked = count !== undefined && count > 0;
        const end = Math.min(indexed.count, isAsked ? start + count : start + UNASKED);
        for (let index = start; index < end; index++) found.push(indexed.at(index));
        const left = indexed.count - end;
        if (!isAsked && left > 0) found.push(plain('…', say`and ${countText(left)} more`));
        return found;
    }

    /** Rows as one value. */
    rows(predicate: PredicateKey, count: number, at: (index: number) => FactRow): Omit<Variable, 'name'> {
        const described = this.#replay.database.program.predicates.get(predicate);
        const type = `${described?.name ?? predicate}(${described?.columns.map(({ name }) => name).join(', ') ?? ''})`;
        const value = count === 1 ? say`1 row` : say`${countText(count)} rows`;
        if (count === 0) return { value, type, variablesReference: 0 };
        const variablesReference = this.#add({ indexed: { count, at: index => this.#row(`[${index}]`, at(index)) } });
        return { value, type, variablesReference, indexedVariables: count };
    }

    #relations(): Variable[] {
        const { program } = this.#replay.database;
        return program.strata
            .flatMap(({ predicates }) => predicates)
            .flatMap(key => {
                const predicate = program.predicates.get(key);
                if (predicate === undefined || this.#replay.database.relation(key) === undefined) return [];
                const { count, at } = this.#replay.rowsBefore(key, this.#step);
                return [{ name: key, evaluateName: key, ...this.rows(key, count, index => ({ predicate: key, row: at(index) })) }];
            });
    }

    #parameters(): Variable[] {
        const { database, label } = this.#replay;
        return [...database.parameters].map(([name, value]) => plain(`?${name}`, termText(database.dictionary, value, MIXED, label)));
    }

    #premises({ premises, absent = [] }: DerivationNode): Variable[] {
        return [
            ...premises.map((premise, index) => this.#premise(String(index + 1), premise)),
            ...absent.map(fact => plain(say`not`, fact)),
        ];
    }

    #premise(name: string, premise: PremiseNode): Variable {
        if (premise.kind === 'group') {
            const { contributions, fact, results } = premise;
            const named = (): Variable[] =>
                (results?.columns ?? []).map(({ name: column, value, formula, aggregates }) =>
                    plain(column, value, undefined, formula ?? aggregates.map(one => one.name).join(', ')),
                );
            const at = (index: number): Variable => {
                const contribution = contributions[index];
                const value = contribution?.premises.map(one => one.fact).join(', ') ?? '';
                const gives = contribution?.gives?.join(', ');
                const variablesReference = contribution === undefined ? 0 : this.#add({ named: () => this.#premises(contribution) });
                return { name: `[${index}]`, value: gives ? `${gives}: ${value}` : value, variablesReference };
            };
            const variablesReference = this.#add({ named, indexed: { count: contributions.length, at } });
            return { name, value: fact, type: premise.verbalization, variablesReference, indexedVariables: contributions.length };
        }
        const [derivation] = premise.deferred ? [] : premise.derivations;
        const variablesReference = derivation === undefined ? 0 : this.#add({ named: () => this.#premises(derivation) });
        const type = premise.verbalization === premise.fact ? {} : { type: premise.verbalization };
        return { name, value: premise.fact, ...type, variablesReference };
    }

    #row(name: string, { predicate: key, row }: FactRow): Variable {
        const { database, label } = this.#replay;
        const predicate = database.program.predicates.get(key);
        const values = (database.relation(key)?.columns ?? []).map(column => column[row] ?? 0);
        if (predicate === undefined) return plain(name, '');
        const value = factText(database.dictionary, predicate, values, label);
        const variablesReference = this.#add({
            named: () =>
                predicate.columns.map((column, index) =>
                    plain(column.name, termText(database.dictionary, values[index] ?? 0, column.type, label)),
                ),
        });
        return { name, value, evaluateName: value, variablesReference, namedVariables: predicate.columns.length };
    }

    #add(children: Children): number {
        return this.#children.push(children);
    }
}

function plain(name: string, value: string, evaluateName?: string, type?: string): Variable {
    return { name, value, variablesReference: 0, ...(evaluateName !== undefined && { evaluateName }), ...(type && { type }) };
}
