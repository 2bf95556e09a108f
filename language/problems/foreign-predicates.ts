import { printExpression } from '#language/program/print.ts';
import type { Atom } from '#language/program/program.ts';

/**
 * Predicates that Prolog brings along, by name and number of terms, and what stands for them here: `$1` is their first term.
 * Those of which nothing is left are commands.
 */
const REWRITTEN: ReadonlyMap<string, string> = new Map([
    ['findall/3', '$2, $3 = munion($1)'],
    ['bagof/3', '$2, $3 = munion($1)'],
    ['setof/3', '$2, $3 = munion($1)'],
    ['aggregate_all/3', '$2, $3 = $1'],
    ['append/3', '$3 = $1 + $2'],
    ['atom_concat/3', '$3 = concat($1, $2)'],
    ['string_concat/3', '$3 = concat($1, $2)'],
    ['atom_length/2', '$2 = string_length($1)'],
    ['string_length/2', '$2 = string_length($1)'],
    ['atom_number/2', '$2 = as_double($1)'],
    ['number_codes/2', '$1 = as_double($2)'],
    ['upcase_atom/2', '$2 = to_upper($1)'],
    ['downcase_atom/2', '$2 = to_lower($1)'],
    ['string_upper/2', '$2 = to_upper($1)'],
    ['string_lower/2', '$2 = to_lower($1)'],
    ['sub_string/5', 'contains($1, $5)'],
    ['length/2', '$2 = collections:size($1)'],
    ['member/2', '$1 = collections:explode($2)'],
    ['nth1/3', '$3 = collections:get($2, $1)'],
    ['sort/2', '$2 = collections:sort($1)'],
    ['msort/2', '$2 = collections:sort($1)'],
    ['dif/2', '$1 != $2'],
    ['succ/2', '$2 = $1 + 1'],
    ['plus/3', '$3 = $1 + $2'],
    ['once/1', '$1'],
    ['call/1', '$1'],
    ['exists/1', '$1'],
    ['write/1', ''],
    ['writeln/1', ''],
    ['print/1', ''],
    ['format/1', ''],
    ['format/2', ''],
    ['nl/0', ''],
]);

/** Returns the replacement for an atom of a predicate that Prolog brings along; empty for a command, which goes. */
export function foreignPredicate({ predicate, arguments: terms }: Atom, isBound: (name: string) => boolean): string | undefined {
    const [first] = terms;
    const tests = predicate === 'member' && terms.length === 2 && first?.kind === 'variable' && isBound(first.name);
    const pattern = tests ? '$1 in $2' : REWRITTEN.get(`${predicate}/${terms.length}`);
    if (pattern === undefined) return undefined;
    return pattern.replace(/\$(\d)/gu, (_, index) => printed(terms[Number(index) - 1]));
}

function printed(term: Atom['arguments'][number] | undefined): string {
    return term === undefined ? '_' : printExpression(term);
}

/** The predicate has another one with its terms as a term. */
export function takesGoals(predicate: string): boolean {
    return GOAL_PREDICATES.has(predicate);
}

const GOAL_PREDICATES: ReadonlySet<string> = new Set(['findall', 'bagof', 'setof', 'aggregate_all', 'forall', 'once', 'call', 'exists']);
