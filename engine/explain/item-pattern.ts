import type { OpenNames } from './cause.ts';
import type { HeadPattern } from './match-rule.ts';
import type { PartialMatcher } from './partial-match.ts';
import type { AtomItem } from './rule-body.ts';
import { UNBOUND } from './rule-scope.ts';

/** What an atom asks for under the values that a match has given. */
export function patternOf(
    matcher: PartialMatcher,
    item: AtomItem,
    registers: Int32Array,
    arity: number,
): { readonly values: HeadPattern; readonly names?: OpenNames; readonly variables: readonly (string | undefined)[] } {
    const terms = item.literal.atom.arguments;
    const values = Array.from({ length: arity }, (_, column) => {
        const value = column < terms.length ? matcher.argument(item, column, registers) : UNBOUND;
        return value === UNBOUND ? undefined : value;
    });
    const open = terms.map((term, column) => (term.kind === 'variable' && values[column] === undefined ? term.name : undefined));
    const names = open.map((name, column) =>
        name !== undefined && open.some((other, at) => at !== column && other === name) ? name : undefined,
    );
    return names.some(name => name !== undefined) ? { values, names, variables: open } : { values, variables: open };
}
