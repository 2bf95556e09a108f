import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { type Dictionary, FALSE, TRUE } from '../values/dictionary.ts';
import { setOf } from '../values/set-of.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Compiled, missingResult, shown, warnOnce } from './expression-site.ts';
import type { Evaluate, Scope } from './scope.ts';

/** `[a, b]` and `{a, b}`; an unknown value is an element like any other. */
export function compileCollection(kind: 'list' | 'set', items: readonly Compiled[], scope: Scope): Evaluate {
    const { dictionary } = scope;
    const elements = items.map(item => item.evaluate);
    if (kind === 'list') return registers => dictionary.list(elements.map(element => element(registers)));
    return registers =>
        setOf(
            dictionary,
            elements.map(element => element(registers)),
        );
}

/** `x in C` and `x !in C`; an unknown collection gives an unknown answer. */
export function compileMembership(
    operator: 'in' | '!in',
    element: Compiled,
    collection: Compiled,
    expression: Expression,
    scope: Scope,
): Evaluate {
    const { dictionary } = scope;
    const notCollection = warnOnce('RT020', expression, scope);
    const isMember = operator === 'in' ? TRUE : FALSE;
    const isNone = operator === 'in' ? FALSE : TRUE;
    return registers => {
        const x = element.evaluate(registers);
        const c = collection.evaluate(registers);
        if (isCollection(dictionary, c)) return dictionary.membersOf(c).includes(x) ? isMember : isNone;
        if (dictionary.isNull(c)) return missingResult(dictionary, operator, x, c);
        notCollection(() => [shown(dictionary, x), shown(dictionary, c)]);
        return isNone;
    };
}

/** `A & B` and `C | x` of 3.6. */
export function compileSetOperation(operator: '&' | '|', left: Compiled, right: Compiled, expression: Expression, scope: Scope): Evaluate {
    const { dictionary } = scope;
    const undefinedFor = warnOnce('RT024', expression, scope);
    return registers => {
        const x = left.evaluate(registers);
        const y = right.evaluate(registers);
        if (isCollection(dictionary, x)) {
            if (isCollection(dictionary, y)) return operator === '&' ? intersection(dictionary, x, y) : union(dictionary, x, y);
            if (operator === '|' && !(dictionary.isNull(y) && isCollectionType(right.type))) return withElement(dictionary, x, y);
        }
        if (!dictionary.isNull(x) && !dictionary.isNull(y)) {
            undefinedFor(() => [operator, say`${shown(dictionary, x)} and ${shown(dictionary, y)}`]);
        }
        return missingResult(dictionary, operator, x, y);
    };
}

function isCollection(dictionary: Dictionary, id: ValueId): boolean {
    const kind = dictionary.kind(id);
    return kind === 'list' || kind === 'set';
}

function isCollectionType(type: Type): boolean {
    return type.kind === 'list' || type.kind === 'set';
}

/** A collection of the kind of another one; duplicates are removed, first occurrences kept. */
export function distinctLike(dictionary: Dictionary, like: ValueId, elements: Iterable<ValueId>): ValueId {
    return dictionary.kind(like) === 'set' ? setOf(dictionary, elements) : dictionary.list([...new Set(elements)]);
}

/** The elements of the left, then the new ones of the right. */
export function union(dictionary: Dictionary, left: ValueId, right: ValueId): ValueId {
    return distinctLike(dictionary, left, [...dictionary.membersOf(left), ...dictionary.membersOf(right)]);
}

/** The elements of the left that occur in the right. */
export function intersection(dictionary: Dictionary, left: ValueId, right: ValueId): ValueId {
    const kept = new Set(dictionary.membersOf(right));
    return distinctLike(
        dictionary,
        left,
        dictionary.membersOf(left).filter(member => kept.has(member)),
    );
}

function withElement(dictionary: Dictionary, collection: ValueId, element: ValueId): ValueId {
    return distinctLike(dictionary, collection, [...dictionary.membersOf(collection), element]);
}
