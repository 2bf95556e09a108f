import { printType, type Type } from '#language/program/types.ts';
import type { PlanRelation } from '../plan/plan.ts';
import { type FailedMatch, type Report, report, withMatch } from '../reports/reports.ts';
import { castValue } from '../values/cast.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import { missingResult, shown } from './expression-site.ts';
import type { CastColumn } from './groups.ts';

/** A conversion that failed: the first value of a column for which it did. */
export interface FailedCast {
    readonly relation: PlanRelation;
    readonly column: number;
    readonly value: ValueId;
}

interface Failures extends FailedCast {
    readonly example: string;
    count: number;
}

/** The conversions to column types that a model or mapping fixes (8.4), with a count of what could not be read. */
export class Casts {
    readonly #dictionary: Dictionary;
    readonly #failures = new Map<string, Failures>();

    constructor(dictionary: Dictionary) {
        this.#dictionary = dictionary;
    }

    /** The conversion of values of a static type to a column; undefined where the column takes any value. */
    castTo(relation: PlanRelation, column: number, from: Type): CastColumn | undefined {
        const { type, cast } = relation.columns[column]!;
        if (!cast) return undefined;
        const dictionary = this.#dictionary;
        const keepsSmallIntegers = type.kind === 'int' || type.kind === 'long' || type.kind === 'double';
        return value => {
            if (keepsSmallIntegers && value < 0) return value;
            const converted = castValue(dictionary, value, type, from);
            if (converted !== undefined) return converted;
            this.#count(relation, column, value, from);
            return missingResult(dictionary, `as_${type.kind}`, value);
        };
    }

    /** One RT021 per column, at the model that wants another type, with the match that `matchOf` finds for the first value. */
    reports(matchOf: (failed: FailedCast) => FailedMatch | undefined = () => undefined): Report[] {
        return [...this.#failures.values()].map(failures => {
            const { relation, column, count, example } = failures;
            const { name, type } = relation.columns[column]!;
            const { model } = relation.predicate;
            const context = model === undefined ? {} : { location: { place: model.place, span: model.annotation.span } };
            const told = report('RT021', context, count, printType(type), name, relation.predicate.name, example);
            const match = matchOf(failures);
            return match === undefined ? told : withMatch(told, match);
        });
    }

    #count(relation: PlanRelation, column: number, value: ValueId, from: Type): void {
        const key = `${column} ${relation.predicate.key}`;
        const failures = this.#failures.get(key);
        if (failures !== undefined) {
            failures.count++;
            return;
        }
        this.#failures.set(key, { relation, column, value, count: 1, example: shown(this.#dictionary, value, from) });
    }
}
