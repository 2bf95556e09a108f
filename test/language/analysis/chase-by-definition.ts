import type { AnalysedProgram, AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';

/** `p/2:0`. */
type Position = string;

export interface ChaseByDefinition {
    readonly affected: ReadonlySet<Position>;
    readonly warded: readonly boolean[];
    readonly wards: readonly (readonly number[])[];
    readonly harmful: readonly (readonly string[])[];
    readonly dangerous: readonly (readonly string[])[];
    readonly harmfulJoins: readonly (readonly string[])[];
    readonly weaklyAcyclic: boolean;
}

/** Affected positions, wardedness and weak acyclicity word for word as they are defined, by going over everything again and again. */
export function chaseByDefinition({ rules }: AnalysedProgram): ChaseByDefinition {
    const affected = affectedPositions(rules);
    const harmful = rules.map(rule => harmfulIn(rule, affected));
    const dangerous = rules.map((rule, i) => (harmful[i] ?? []).filter(name => headPositions(rule, name).length > 0));
    const wards = rules.map((rule, i) => wardsOf(rule, harmful[i] ?? [], dangerous[i] ?? []));
    return {
        affected,
        harmful,
        dangerous,
        wards,
        warded: wards.map((found, i) => dangerous[i]?.length === 0 || found.length > 0),
        harmfulJoins: rules.map((rule, i) => (harmful[i] ?? []).filter(name => atomsWith(rule, name).length > 1)),
        weaklyAcyclic: isWeaklyAcyclic(rules),
    };
}

function at(predicate: PredicateKey, column: number): Position {
    return `${predicate}:${column}`;
}

function headTerms(rule: AnalysedRule): [Position, Expression][] {
    return rule.heads.flatMap(({ atom, predicate }) => atom.arguments.map((term, i): [Position, Expression] => [at(predicate, i), term]));
}

/** What a variable stands for, when `V = W` assigns it. */
function original(rule: AnalysedRule, name: string): string {
    const assigned = rule.assignments.find(({ variable }) => variable.name === name)?.value;
    return assigned?.kind === 'variable' ? original(rule, assigned.name) : name;
}

function assignedValue(rule: AnalysedRule, name: string): Expression | undefined {
    return rule.assignments.find(({ variable }) => variable.name === original(rule, name))?.value;
}

function headPositions(rule: AnalysedRule, name: string): Position[] {
    return headTerms(rule).flatMap(([position, term]) =>
        term.kind === 'variable' && original(rule, term.name) === name ? [position] : [],
    );
}

function bodyPositions(rule: AnalysedRule, name: string): Position[] {
    return rule.literals.flatMap(({ atom, predicate, negated }) =>
        negated ? [] : atom.arguments.flatMap((term, i) => (term.kind === 'variable' && term.name === name ? [at(predicate, i)] : [])),
    );
}

function bodyVariables(rule: AnalysedRule): string[] {
    return [...new Set(rule.literals.flatMap(({ atom, negated }) => (negated ? [] : atom.arguments.flatMap(variablesOf))))];
}

function isExistential(rule: AnalysedRule, term: Expression): boolean {
    return term.kind === 'anonymous' || (term.kind === 'variable' && rule.existential.includes(term.name));
}

function isCreated(rule: AnalysedRule, term: Expression): boolean {
    return isExistential(rule, term) || (term.kind === 'variable' && assignedValue(rule, term.name)?.kind === 'skolem');
}

function createdPositions(rule: AnalysedRule): Position[] {
    return headTerms(rule).flatMap(([position, term]) => (isCreated(rule, term) ? [position] : []));
}

function affectedPositions(rules: readonly AnalysedRule[]): Set<Position> {
    const affected = new Set<Position>(rules.flatMap(createdPositions));
    for (let before = -1; before < affected.size; ) {
        before = affected.size;
        for (const rule of rules) {
            for (const name of harmfulIn(rule, affected)) for (const position of headPositions(rule, name)) affected.add(position);
        }
    }
    return affected;
}

function harmfulIn(rule: AnalysedRule, affected: ReadonlySet<Position>): string[] {
    if (rule.constantsOnly) return [];
    return bodyVariables(rule).filter(name => bodyPositions(rule, name).every(position => affected.has(position)));
}

function atomsWith(rule: AnalysedRule, name: string): number[] {
    return rule.literals.flatMap(({ atom, negated }, i) =>
        !negated && atom.arguments.some(term => variablesOf(term).includes(name)) ? [i] : [],
    );
}

function wardsOf(rule: AnalysedRule, harmful: readonly string[], dangerous: readonly string[]): number[] {
    if (dangerous.length === 0) return [];
    return rule.literals.flatMap((literal, i) => {
        if (literal.negated || !dangerous.every(name => atomsWith(rule, name).includes(i))) return [];
        const shared = literal.atom.arguments.flatMap(variablesOf).filter(name => atomsWith(rule, name).some(other => other !== i));
        return shared.some(name => harmful.includes(name)) ? [] : [i];
    });
}

/** The variables of atoms that a term is computed from, through assignments. */
function sources(rule: AnalysedRule, term: Expression): string[] {
    return variablesOf(term).flatMap(name => {
        const value = rule.assignments.find(({ variable }) => variable.name === name)?.value;
        return value === undefined ? [name] : sources(rule, value);
    });
}

function isWeaklyAcyclic(rules: readonly AnalysedRule[]): boolean {
    const edges: { from: Position; to: Position; special: boolean }[] = [];
    for (const rule of rules) {
        if (rule.constantsOnly) continue;
        const terms = headTerms(rule);
        for (const [to, term] of terms) {
            const needed = isExistential(rule, term) ? terms.flatMap(([, other]) => sources(rule, other)) : sources(rule, term);
            const special = isCreated(rule, term);
            for (const name of needed) for (const from of bodyPositions(rule, name)) edges.push({ from, to, special });
        }
    }
    return edges.every(edge => !edge.special || !reaches(edge.to, edge.from));

    function reaches(start: Position, goal: Position): boolean {
        const reached = new Set([start]);
        for (let before = 0; before < reached.size; ) {
            before = reached.size;
            for (const { from, to } of edges) if (reached.has(from)) reached.add(to);
        }
        return reached.has(goal);
    }
}
