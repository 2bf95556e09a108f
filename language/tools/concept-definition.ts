import { analyse } from '#language/analysis/analyse.ts';
import { namedAnnotations, placedAnnotations, textOf } from '#language/analysis/annotation-arguments.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import { moduleNames } from '#language/modules/include.ts';
import type { AnalysedProgram, Column, SourceSchema } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import { printConstant } from '#language/program/print-constant.ts';
import type { Atom, Clause, Expression, Program } from '#language/program/program.ts';
import { isOpen, MIXED, type Type } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { clauseMentions } from '#language/symbols/clause-mentions.ts';
import { interfaceOf, readByBody, type Tool } from './program-interface.ts';

/** Facts about a concept that its text shows without a run. */
export interface ConceptDefinition {
    /** Predicates that rules derive, in the order of their first appearance. */
    readonly ruleHeads: readonly string[];
    /** `ruleHeads` and the predicates of facts. */
    readonly heads: readonly string[];
    /** The predicates of `@output`, each once. */
    readonly outputs: readonly string[];
    /** The columns of every predicate that has a head, in their order. */
    readonly columns: ReadonlyMap<string, readonly ConceptColumn[]>;
    readonly parameters: readonly DeclaredParameter[];
    /** Predicates that bodies use, and nothing here derives or binds. */
    readonly reads: readonly string[];
    readonly python: PythonUse;
    /** The module that it holds. */
    readonly module?: string;
    /** The modules that it includes. */
    readonly includes: readonly string[];
    /** Predicates that it binds to sources. */
    readonly bound: readonly string[];
}

export interface ConceptColumn {
    readonly name: string;
    /** The type that all its values have, as far as the text and the columns of what it reads tell: modules and queries give anything. */
    readonly type?: Type;
}

export interface DeclaredParameter {
    readonly name: string;
    /** A JSON value; null where there is none. */
    readonly default: unknown;
}

/** `python:run` is the whole body of the only rule, or the program mixes it with other things, or does without. */
export type PythonUse = { readonly kind: 'none' | 'mixed' } | { readonly kind: 'script'; readonly script: string };

/** The types of columns that a concept reads, by name; any values where one is absent. */
export type SuppliedColumns = ReadonlyMap<string, readonly { readonly type: Type | undefined }[]>;

/** Reads the definition of a logic concept. One with syntax errors has its problems instead. */
export function conceptDefinition(text: string, supplied: SuppliedColumns = new Map()): Tool<ConceptDefinition> {
    const { value: program, problems } = readProgram(text, '');
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) return { ok: false, problems: errors };
    const analysed = analyse(program);
    const annotations = placedAnnotations(program);
    const module = textOf(annotations.find(({ annotation }) => annotation.name === 'module')?.annotation.arguments[0]);
    const { headPredicates: heads } = interfaceOf(program, analysed);
    const bound = analysed.binds.flatMap(({ direction, predicate }) => (direction === 'input' ? [predicate] : []));
    const reads = readsOf(analysed, [...heads, ...bound]);
    const { included: includes } = moduleNames(program.clauses);
    const value = {
        ruleHeads: [...new Set(program.clauses.flatMap(headsOf).map(({ predicate }) => predicate))],
        heads,
        outputs: [...new Set(namedAnnotations(annotations, 'output').map(({ predicate }) => predicate))],
        columns: columnsOf(withReads(analysed, reads, supplied), heads, includes.length > 0),
        parameters: [...declaredParameters(annotations).values()].map(({ name, value }) => ({ name, default: jsonOf(value) })),
        reads,
        python: pythonUse(program, text),
        ...(module !== undefined && { module }),
        includes,
        bound,
    };
    return { ok: true, value };
}

function headsOf(clause: Clause): readonly Atom[] {
    return clause.kind === 'rule' && clause.head.kind === 'atoms' ? clause.head.atoms : [];
}

/** The program with the supplied types of what it reads, and any values elsewhere. */
function withReads(analysed: AnalysedProgram, reads: readonly string[], supplied: SuppliedColumns): AnalysedProgram {
    if (reads.length === 0) return analysed;
    const schemas = reads.map((name): [string, SourceSchema] => {
        const width = Math.max(0, ...analysed.predicatesNamed(name).map(({ arity }) => arity));
        return [name, { columns: Array.from({ length: width }, (_, at) => ({ type: supplied.get(name)?.[at]?.type ?? MIXED })) }];
    });
    return analyse(analysed.program, { schemas: new Map(schemas) });
}

function columnsOf(
    { program, predicatesNamed, hasSql }: AnalysedProgram,
    heads: readonly string[],
    hasModules: boolean,
): ReadonlyMap<string, readonly ConceptColumn[]> {
    const atoms = program.clauses.flatMap(clause => (clause.kind === 'fact' ? [clause.atom] : headsOf(clause)));
    const arities = new Map(atoms.map(atom => [atom.predicate, atom.arguments.length] as const).reverse());
    const isKnown = ({ type, cast }: Column): boolean => !isOpen(type) && (cast || !(hasSql || hasModules));
    return new Map(
        heads.map(name => {
            const arity = arities.get(name);
            const columns = predicatesNamed(name).find(one => one.arity === arity)?.columns ?? [];
            return [name, columns.map(column => ({ name: column.name, ...(isKnown(column) && { type: column.type }) }))];
        }),
    );
}

function readsOf({ program, rules }: AnalysedProgram, supplied: readonly string[]): readonly string[] {
    const here = new Set(supplied);
    const byAtoms = rules.flatMap(({ literals }) => literals.map(({ atom }) => atom.predicate));
    const byQueries = program.clauses.flatMap(clause => (clause.kind === 'rule' ? readByBody(clause.body).map(([name]) => name) : []));
    return [...new Set([...byAtoms, ...byQueries])].filter(name => !here.has(name));
}

function pythonUse({ clauses }: Program, text: string): PythonUse {
    const written = (clause: Clause): string => text.slice(clause.place.offset + clause.span.start, clause.place.offset + clause.span.end);
    const uses = (clause: Clause): boolean =>
        clauseMentions(written(clause)).some(mention => mention.kind === 'call' && mention.name === 'python:run');
    const deriving = clauses.filter(({ kind }) => kind !== 'annotation');
    if (!deriving.some(uses)) return { kind: 'none' };
    const [only, ...others] = deriving;
    if (only?.kind !== 'rule' || only.body.kind !== 'script' || headsOf(only).length !== 1 || others.length > 0) return { kind: 'mixed' };
    return { kind: 'script', script: only.body.script };
}

/** A term as a JSON value: dates and times are ISO 8601 texts, integers that no number holds are texts too. */
function jsonOf(value: Expression | undefined): unknown {
    if (value === undefined) return null;
    switch (value.kind) {
        case 'null':
            return null;
        case 'string':
        case 'boolean':
        case 'double':
            return value.value;
        case 'integer':
            return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : String(value.value);
        case 'date':
            return printConstant(value);
        case 'timestamp':
            return printConstant(value).replace(' ', 'T');
        case 'list':
        case 'set':
            return value.items.map(jsonOf);
        case 'unary': {
            const operand = value.operator === '-' ? jsonOf(value.operand) : undefined;
            if (typeof operand === 'number') return -operand;
            return typeof operand === 'string' ? `-${operand}` : printExpression(value);
        }
        default:
            return printExpression(value);
    }
}
