import { execFileSync } from 'node:child_process';
import { type Aggregate, type Atom, type Rule, STRATA, type StratifiedProgram } from './stratified-program.ts';

const ARITIES = new Map(STRATA.flat());

/** Whether the program stays within the 32 bits of clingo's integers, sums of what it has included. */
export function fitsClingo({ facts }: StratifiedProgram): boolean {
    return facts.every(({ terms }) => terms.every(term => Math.abs(Number(term)) < 1000));
}

/** The facts of a stratified program as clingo finds them, by answer set programming (Gebser et al., 2019): sorted texts `p(1, 2)`. */
export function clingoAnswer({ facts, strata }: StratifiedProgram): string[] {
    const rules = strata
        .flat()
        .map((rule, i) => (rule.aggregate === undefined ? plainRule(rule) : aggregated(rule, rule.aggregate, `keys${i}`)));
    const shown = STRATA.flat().map(([name, arity]) => `#show ${name}/${arity}.`);
    const input = [...facts.map(fact => `${atomText(fact)}.`), ...rules, ...shown].join('\n');
    // clingo tells by its status whether there is an answer.
    const output = execFileSync('sh', ['-c', 'clingo --warn=none --verbose=0 --out-ifs="\\n" || [ $? -eq 30 ]'], {
        input,
        encoding: 'utf8',
    });
    const lines = output.trim().split('\n');
    if (lines.pop() !== 'SATISFIABLE') throw new Error(`clingo gives no answer:\n${input}\n${output}`);
    return lines.map(line => line.replaceAll(',', ', ')).sort();
}

/** Columns that an atom leaves out can be anything. */
function atomText({ predicate, terms }: Atom): string {
    const arity = ARITIES.get(predicate) ?? 0;
    return `${predicate}(${Array.from({ length: arity }, (_, i) => terms[i] ?? '_').join(',')})`;
}

function bodyOf({ atoms, negated, conditions, sum }: Rule): string {
    return [
        ...atoms.map(atomText),
        ...negated.map(atom => `not ${atomText(atom)}`),
        ...conditions.map(({ left, operator, right }) => `${left} ${operator} ${right}`),
        ...(sum === undefined ? [] : [`N = ${sum.of} + ${sum.plus}`]),
    ].join(', ');
}

function plainRule(rule: Rule): string {
    return `${atomText(rule.head)} :- ${bodyOf(rule)}.`;
}

/** The groups are facts of their own, so that all other variables are those of the aggregate. */
function aggregated(rule: Rule, aggregate: Aggregate, name: string): string {
    const keys = `${name}(${rule.head.terms.filter(term => term !== 'A').join(',')})`;
    return `${keys} :- ${bodyOf(rule)}.\n${atomText(rule.head)} :- ${keys}, A = ${elementsOf(rule, aggregate)} : ${bodyOf(rule)} }.`;
}

function elementsOf({ atoms, sum }: Rule, { of, variable }: Aggregate): string {
    if (of !== 'matches') return `#${of} { ${variable}`;
    const terms = [...atoms.flatMap(atom => atom.terms), ...(sum === undefined ? [] : ['N'])];
    return `#count { ${[...new Set(terms.filter(term => typeof term === 'string'))].join(',')}`;
}
