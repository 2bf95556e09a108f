import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { printAtomText } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Atom, Expression } from '#language/program/program.ts';
import { problem, withWritten } from '../catalogue.ts';
import { FOREIGN_CONSTANTS } from '../meant-items.ts';

/** Unknown values in body atoms, written `null` or as other languages do, which stands for every value: RL4032. */
export function* checkNullTerms({ resolved, occurrences, place }: RuleFacts): Iterable<Problem> {
    for (const { atom, negated } of resolved.literals) {
        for (const term of atom.arguments) {
            const isVariable = term.kind === 'variable' && isNullWord(term.name) && occurrences.get(term.name)?.length === 1;
            if (term.kind !== 'null' && !isVariable) continue;
            const found = problem('RL4032', place, atom.span, term.kind === 'variable' ? term.name : 'null', isVariable);
            yield negated ? found : withWritten(found, asked(atom, term, freeName(occurrences)));
        }
    }
}

/** Whether other languages call an unknown value so. */
export function isNullWord(name: string): boolean {
    return FOREIGN_CONSTANTS.get(name.toLowerCase()) === 'null';
}

/** The atom with a variable in place of a term, which is asked whether it is unknown. */
function asked(atom: Atom, term: Expression, name: string): string {
    const variable: Expression = { kind: 'variable', name, span: term.span };
    const terms = atom.arguments.map(other => (other === term ? variable : other));
    return `${printAtomText({ ...atom, arguments: terms })}, is_null(${name})`;
}

function freeName(taken: ReadonlyMap<string, unknown>): string {
    let name = 'Unknown';
    for (let n = 2; taken.has(name); n++) name = `Unknown${n}`;
    return name;
}
