import { spanInText } from '#language/analysis/annotation-arguments.ts';
import { headsOf } from '#language/analysis/atoms-by-predicate.ts';
import type { NameFacts, RuleFacts } from '#language/analysis/program-facts.ts';
import { comparisonClass } from '#language/library/comparison-class.ts';
import { type TypeEnvironment, typeOfExpression } from '#language/library/expression-type.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Problem, RelatedPlace } from '#language/program/problem.ts';
import type { Atom, Expression, Fact } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { compareLocations, type Location } from '#language/program/span.ts';
import { join, printType, type Type, UNKNOWN } from '#language/program/types.ts';
import { problem, withRelated, withSeverity } from '../catalogue.ts';

/** A predicate with what gives its columns their types. */
export interface TypedPredicate {
    readonly name: NameFacts;
    readonly arity: number;
    readonly types: readonly Type[];
    readonly rules: readonly RuleFacts[];
    readonly typesIn: (rule: RuleFacts) => TypeEnvironment;
}

interface Contribution extends Location {
    readonly type: Type;
}

/** Columns whose facts and rules have types without a common one, RL4020, and facts that do not fit their model, RL4021. */
export function* checkColumnTypes(predicate: TypedPredicate): Iterable<Problem> {
    const { name, arity, types } = predicate;
    const fields = name.model?.model.fields;
    if (fields?.length === arity) {
        for (const fact of name.definitions.get(arity)?.facts ?? []) yield* misfits(fact, name, CONSTANTS);
        for (const rule of predicate.rules) {
            const types = predicate.typesIn(rule);
            for (const atom of atomsOf(rule, name.name, arity)) yield* misfits({ atom, place: rule.place }, name, types);
        }
        return;
    }
    const mixed = types.flatMap((type, column) => (type.kind === 'mixed' ? [column] : []));
    for (const column of mixed) yield* mixture(predicate, column);
}

/** Reports a column whose own clauses differ in type, and not one that only takes values from a mixed column. */
function* mixture({ name, arity, rules, typesIn }: TypedPredicate, column: number): Iterable<Problem> {
    const facts = name.definitions.get(arity)?.facts ?? [];
    const first = new Map<string, Contribution>();
    const add = (type: Type, location: Location): void => {
        if (type.kind !== 'unknown' && type.kind !== 'mixed' && !first.has(type.kind)) first.set(type.kind, { ...location, type });
    };
    for (const { atom, place } of facts) {
        const term = atom.arguments[column];
        if (term !== undefined) add(typeOfExpression(term, CONSTANTS), { place, span: term.span });
    }
    for (const rule of rules) {
        const types = typesIn(rule);
        for (const atom of atomsOf(rule, name.name, arity)) {
            const term = atom.arguments[column];
            if (term !== undefined) add(typeOfExpression(term, types), { place: rule.place, span: term.span });
        }
    }
    const found = [...first.values()].sort(compareLocations);
    const [one] = found;
    if (one === undefined || found.reduce<Type>((type, other) => join(type, other.type), UNKNOWN).kind !== 'mixed') return;
    const words = found.map(({ type }) => printType(type)).join(say` and `);
    const related = found.slice(1).map(({ place, span, type }): RelatedPlace => ({ place, span, message: say`${printType(type)} here` }));
    yield withRelated(problem('RL4020', one.place, one.span, name.name, column + 1, words), related);
}

const CONSTANTS: TypeEnvironment = { variable: () => UNKNOWN, parameter: () => UNKNOWN };

function atomsOf({ resolved }: RuleFacts, name: string, arity: number): Atom[] {
    return headsOf(resolved, predicateKey(name, arity)).map(({ atom }) => atom);
}

/** Terms that no cast makes values of their field: an error for a constant, a warning for values whose type is inferred. */
function* misfits({ atom, place }: Pick<Fact, 'atom' | 'place'>, { name, model }: NameFacts, types: TypeEnvironment): Iterable<Problem> {
    for (const [i, field] of model?.model.fields.entries() ?? []) {
        const term = atom.arguments[i];
        const given = term && typeOfExpression(term, types);
        if (term === undefined || given === undefined || isConvertible(term, given, field.type)) continue;
        const found = problem('RL4021', place, term.span, printType(given), printType(field.type), name, field.name);
        const told = variablesOf(term).length === 0 ? found : withSeverity(found, 'warning');
        yield withRelated(told, fieldPlace(model, i));
    }
}

function fieldPlace(model: NameFacts['model'], column: number): RelatedPlace[] {
    const piece = model?.text.fields[column]?.name;
    const written = model?.annotation.arguments[1];
    if (model === undefined || piece === undefined || written === undefined) return [];
    return [{ place: model.place, span: spanInText(written, piece.start, piece.end), message: say`the field of the model` }];
}

function isConvertible(term: Expression, type: Type, wanted: Type): boolean {
    const given = comparisonClass(type);
    const target = comparisonClass(wanted);
    if (given === undefined || target === undefined || given === target || target === 'string') return true;
    if (isScalar(given) !== isScalar(target) && given !== 'string') return false;
    if (term.kind !== 'string' || term.value.includes('${')) return true;
    if (target === 'number') return /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/iu.test(term.value);
    return target !== 'time' || /\d{2}/.test(term.value);
}

function isScalar(type: ReturnType<typeof comparisonClass>): boolean {
    return type === 'number' || type === 'string' || type === 'boolean' || type === 'time';
}
