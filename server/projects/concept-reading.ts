import { namedAnnotations, placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { readBinds } from '#language/analysis/binds.ts';
import { declaredParameters, parametersOfClause } from '#language/analysis/parameters.ts';
import { predicatesWritten } from '#language/analysis/predicates-written.ts';
import { type FindModule, moduleNames, withModules } from '#language/modules/include.ts';
import { allClauses } from '#language/program/inclusion.ts';
import { printAnnotation, printExpression } from '#language/program/print.ts';
import type { Program } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { sqlPieces } from '#language/sql/sql-pieces.ts';
import { sqlQuery } from '#language/sql/sql-query.ts';
import { interfaceOf } from '#language/tools/program-interface.ts';

/** A concept as it is evaluated: its text, and the binds that are kept beside it. */
export interface Concept {
    readonly name: string;
    readonly type: 'logic' | 'sql';
    readonly definition: string;
    /** Whole annotations. */
    readonly binds: readonly string[];
    readonly scripts: Readonly<Record<string, string>>;
}

/** The kind of a concept's work: rules are evaluated, a script or a query goes to another process. */
export type ConceptKind = 'rules' | 'script' | 'query';

/** Facts about a concept's surroundings from its text. */
export interface ConceptReading {
    readonly kind: ConceptKind;
    /** The definition with the binds that it lacks behind it. */
    readonly text: string;
    /** Predicates or tables that it reads and neither derives nor binds, each once. */
    readonly reads: readonly string[];
    /** Inputs that it declares. */
    readonly declaredInputs: ReadonlySet<string>;
    readonly declaresOutput: boolean;
    readonly includesModules: boolean;
    /** The defaults of its parameters as source text; undefined where one is declared without. */
    readonly parameters: ReadonlyMap<string, string | undefined>;
    /** Parameters that it cannot do without. */
    readonly usedParameters: ReadonlySet<string>;
}

/** The file that places of a concept's own text name. */
const FILE = 'program';

/** Reads a concept with the modules that it includes. What is wrong with it shows when it is evaluated. */
export function readConcept(concept: Concept, findModule: FindModule): ConceptReading {
    return concept.type === 'sql' ? readQuery(concept) : rememberedRules(concept, findModule);
}

/** Characters of texts whose readings are remembered: who runs a large concept again and again has it read once. */
const MOST_REMEMBERED = 4_000_000;
/** By name, definition and binds; the one that was read longest ago comes first. */
const remembered = new Map<string, ConceptReading>();
let characters = 0;

function rememberedRules(concept: Concept, findModule: FindModule): ConceptReading {
    const key = JSON.stringify([concept.name, concept.definition, concept.binds]);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const reading = readRules(concept, findModule);
    if (reading.includesModules || key.length > MOST_REMEMBERED) return reading;
    remembered.set(key, reading);
    characters += key.length;
    for (const [oldest] of remembered) {
        if (characters <= MOST_REMEMBERED) break;
        remembered.delete(oldest);
        characters -= oldest.length;
    }
    return reading;
}

/** A query is a rule whose head takes its columns from it. */
function readQuery({ name, definition, binds }: Concept): ConceptReading {
    const { tables, parameters } = sqlQuery(definition);
    return {
        kind: 'query',
        text: [`${name}() <- ${definition}\n.`, ...binds.map(asClause)].join('\n'),
        reads: unboundTables(tables, binds),
        declaredInputs: new Set(),
        declaresOutput: false,
        includesModules: false,
        parameters: new Map(),
        usedParameters: new Set([...parameters.map(one => one.name), ...parametersInStrings(definition)]),
    };
}

/** The tables of a query, without those that binds beside it read. */
export function unboundTables(tables: readonly string[], binds: readonly string[]): readonly string[] {
    if (binds.length === 0) return tables;
    const annotations = placedAnnotations(readProgram(binds.map(asClause).join('\n'), FILE).value);
    const bound = new Set(readBinds(annotations, new Set()).map(({ bind }) => bind.predicate.toLowerCase()));
    return tables.filter(table => !bound.has(table.toLowerCase()));
}

/** The names of `${name}` in the strings of a query, in whose place a run puts the value. */
function parametersInStrings(query: string): readonly string[] {
    const strings = sqlPieces(query).flatMap(({ kind, text }) => (kind === 'string' ? [text] : []));
    return strings.flatMap(text => Array.from(text.matchAll(/(?<!\$)\$\{([A-Za-z]\w*)\}/gu), ([, name = '']) => name));
}

function asClause(annotation: string): string {
    return `${annotation.trim().replace(/\.$/u, '')}.`;
}

function readRules(concept: Concept, findModule: FindModule): ConceptReading {
    const text = withBinds(concept);
    const own = readProgram(text, FILE).value;
    const program = withModules(own, findModule);
    const annotations = placedAnnotations(program);
    const outputs = namedAnnotations(annotations, 'output');
    const binds = readBinds(annotations, predicatesWritten(program));
    const bound = new Set(binds.flatMap(({ bind }) => (bind.direction === 'input' ? [bind.predicate] : [])));
    const clauses = allClauses(program);
    return {
        kind: clauses.some(clause => clause.kind === 'rule' && clause.body.kind === 'script') ? 'script' : 'rules',
        text,
        reads: interfaceOf(program).inputPredicates.filter(name => !bound.has(name)),
        declaredInputs: new Set(namedAnnotations(annotations, 'input').map(({ predicate }) => predicate)),
        declaresOutput: outputs.some(({ predicate, place }) => predicate === concept.name && place.file === FILE),
        includesModules: moduleNames(own.clauses).included.length > 0,
        parameters: new Map(
            Array.from(declaredParameters(annotations), ([name, { value }]) => [name, value && printExpression(value)] as const),
        ),
        usedParameters: new Set(
            clauses.flatMap(clause => parametersOfClause(clause).flatMap(({ name, lenient }) => (lenient ? [] : [name]))),
        ),
    };
}

/** The definition, and behind it each bind that it does not say itself. */
export function withBinds({ definition, binds }: Pick<Concept, 'definition' | 'binds'>): string {
    if (binds.length === 0) return definition;
    const said = new Set(printedAnnotations(readProgram(definition, FILE).value));
    const lacking = binds.flatMap(bind => {
        const text = asClause(bind);
        const [printed] = printedAnnotations(readProgram(text, FILE).value);
        return printed !== undefined && said.has(printed) ? [] : [text];
    });
    return [definition, ...lacking].join('\n');
}

function printedAnnotations(program: Program): string[] {
    return placedAnnotations(program).map(({ annotation }) => printAnnotation(annotation));
}
