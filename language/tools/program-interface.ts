import { analyse } from '#language/analysis/analyse.ts';
import { namedAnnotations, placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { readBinds } from '#language/analysis/binds.ts';
import { predicatesWritten } from '#language/analysis/predicates-written.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { allClauses } from '#language/program/inclusion.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Body, Program, Rule } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { readProgram } from '#language/read-program.ts';
import { sqlQuery } from '#language/sql/sql-query.ts';

/** Names that a program offers and names that it needs, each once in the order of first appearance. */
export interface ProgramInterface {
    /** Every predicate that heads a rule or is the predicate of a fact. */
    readonly headPredicates: readonly string[];
    /** Predicates of `@input`, those that binds read, and those that bodies use and nothing derives. */
    readonly inputPredicates: readonly string[];
}

export type Tool<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly Problem[] };

/** The interface of a program. It is only read, not run; one with syntax errors has its problems instead. */
export function programInterface(text: string): Tool<ProgramInterface> {
    const { value: program, problems } = readProgram(text, '');
    const errors = problems.filter(({ severity }) => severity === 'error');
    return errors.length > 0 ? { ok: false, problems: errors } : { ok: true, value: interfaceOf(program) };
}

/** The interface of a program together with its modules; `analysed` is what its analysis found. */
export function interfaceOf(program: Program, analysed: Pick<AnalysedProgram, 'rules'> = analyse(program)): ProgramInterface {
    const { headPredicates, inputPredicates } = namesIn(program, analysed);
    return { headPredicates, inputPredicates };
}

/** Predicates that a program derives for no other of its predicates, in the order of first appearance. */
export function unreadPredicates(program: Program): readonly string[] {
    const { headPredicates, readElsewhere } = namesIn(program, analyse(program));
    return headPredicates.filter(name => !readElsewhere.has(name));
}

function namesIn(program: Program, { rules }: Pick<AnalysedProgram, 'rules'>) {
    const heads = new Appearances();
    const inputs = new Appearances();
    const used = new Appearances();
    const readElsewhere = new Set<string>();
    const use = (name: string, offset: number, { head }: Pick<Rule, 'head'>): void => {
        used.add(name, offset);
        if (head.kind !== 'atoms' || !head.atoms.some(({ predicate }) => predicate === name)) readElsewhere.add(name);
    };
    for (const clause of allClauses(program)) {
        if (clause.kind === 'fact') heads.add(clause.atom.predicate, at(clause.place, clause.atom.nameSpan));
        if (clause.kind !== 'rule') continue;
        if (clause.head.kind === 'atoms')
            for (const { predicate, nameSpan } of clause.head.atoms) heads.add(predicate, at(clause.place, nameSpan));
        for (const [name, offset] of readByBody(clause.body)) use(name, clause.place.offset + offset, clause);
    }
    for (const { rule, literals } of rules) {
        for (const { atom } of literals) use(atom.predicate, at(rule.place, atom.nameSpan), rule);
    }
    const annotations = placedAnnotations(program);
    for (const { predicate, place, annotation } of namedAnnotations(annotations, 'input'))
        inputs.add(predicate, at(place, annotation.span));
    const written = predicatesWritten(program);
    for (const { bind } of readBinds(annotations, written)) {
        if (!written.has(bind.predicate)) inputs.add(bind.predicate, at(bind.place, bind.annotation.span));
    }
    for (const [name, offset] of used) if (!heads.has(name)) inputs.add(name, offset);
    return { headPredicates: heads.inOrder(), inputPredicates: inputs.inOrder(), readElsewhere };
}

/** Names and offsets of what a body reads beside the atoms of a list of items. */
export function readByBody(body: Body): (readonly [string, number])[] {
    switch (body.kind) {
        case 'query':
            if (body.language !== 'sql') return [];
            return sqlQuery(body.text).tables.map(name => [name, body.span.start] as const);
        case 'relation-function': {
            const { kind, text, span } = body.call.input;
            if (kind === 'predicate') return [[text, span.start]];
            return sqlQuery(text).tables.map(name => [name, span.start] as const);
        }
        case 'items':
        case 'script':
            return [];
    }
}

function at(place: ClausePlace, span: { readonly start: number }): number {
    return place.offset + span.start;
}

/** Names with the offset of their first appearance. */
class Appearances {
    readonly #first = new Map<string, number>();

    add(name: string, offset: number): void {
        this.#first.set(name, Math.min(offset, this.#first.get(name) ?? offset));
    }

    has(name: string): boolean {
        return this.#first.has(name);
    }

    inOrder(): string[] {
        return [...this.#first].sort(([, a], [, b]) => a - b).map(([name]) => name);
    }

    [Symbol.iterator](): Iterator<[string, number]> {
        return this.#first[Symbol.iterator]();
    }
}
