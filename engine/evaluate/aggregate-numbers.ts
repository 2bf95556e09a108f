import { AGGREGATES } from '#language/program/aggregates.ts';
import { say } from '#language/program/say.ts';
import type { Location } from '#language/program/span.ts';
import type { PlanAggregate } from '../plan/plan.ts';
import { stop } from '../reports/reports.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { StateContext } from './aggregate-state.ts';
import { shown } from './expression-site.ts';

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** True if an aggregate ends the run for a value that is not a number. */
export function needsNumbers({ family }: PlanAggregate): boolean {
    return AGGREGATES[family].domain === 'numbers';
}

/** Ends the run for a value that is not a number (RT022). */
export function requireNumber(aggregate: PlanAggregate, dictionary: Dictionary, value: ValueId): void {
    if (value >= 0 && !dictionary.isNumber(value)) {
        stop('RT022', { location: locationOf(aggregate) }, aggregate.name, shown(dictionary, value));
    }
}

/** The id of an exact integer or a rounded double, by what the types ask for. */
export class AggregateNumbers {
    readonly #aggregate: PlanAggregate;
    readonly #context: StateContext;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        this.#aggregate = aggregate;
        this.#context = context;
    }

    integer(value: bigint): ValueId | undefined {
        if (this.#aggregate.numbers === 'double') return undefined;
        if (value >= LONG_MIN && value <= LONG_MAX) return this.#context.dictionary.bigint(value);
        if (this.#aggregate.numbers === 'any') return undefined;
        return this.#overflow();
    }

    double(value: number): ValueId {
        const { dictionary } = this.#context;
        if (Number.isFinite(value)) return dictionary.number(value);
        return this.#overflow();
    }

    #overflow(): never {
        return stop('RT010', { location: locationOf(this.#aggregate) }, say`the result of '${this.#aggregate.name}'`);
    }
}

function locationOf(aggregate: PlanAggregate): Location {
    return { place: aggregate.place, span: aggregate.span };
}
