import { join } from 'node:path';
import { nearestName } from '#language/library/nearest-name.ts';
import { findGivenModules } from '#language/modules/given-modules.ts';
import { withModules } from '#language/modules/include.ts';
import { problem, withMeant } from '#language/problems/catalogue.ts';
import type { Bind, SourceSchema } from '#language/program/analysed-program.ts';
import { spanInSql, sqlOf } from '#language/program/embedded-sql.ts';
import type { Problem } from '#language/program/problem.ts';
import { serviceGrants } from '#server/files/grants.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import type { PythonUse, RunFolders } from '#server/protocol/run-process.ts';
import { knownScripts } from '#server/python/known-scripts.ts';
import { keptScripts } from '#server/python/script-texts.ts';
import { type LoadedProgram, loadProgram } from '#server/runs/load-program.ts';
import { queryTrials } from '#server/runs/query-trials.ts';
import { verifiedBinds } from '#server/sources/connectors.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import { loadSqlReader } from '#server/workspace/sql-reader.ts';
import { type Concept, type ConceptKind, readConcept } from './concept-reading.ts';
import { problemDiagnostics } from './text-diagnostics.ts';

/** A concept that was saved, and what its project has beside it. */
export interface ConceptQuestion {
    readonly concept: Concept;
    /** The other concepts with the names of their columns; none where they are not known. */
    readonly others: readonly { readonly name: string; readonly columns: readonly string[] }[];
    /** Texts of concepts that hold modules. */
    readonly modules: readonly string[];
    readonly currentFolder: string;
    readonly folders: RunFolders;
    readonly python: PythonUse;
    /** All that it reads must be there; else what is not may be saved later. */
    readonly isWhole?: true;
}

/** Characters of a definition at most; longer ones are not looked at. */
const LONGEST = 200_000;
/** Bytes that the trial of a query may use. */
const MOST_MEMORY = 2 ** 29;

/**
 * Checks a concept as `check` would, with the columns of the other concepts and of sources that it may reach. Returns its errors, and
 * warnings about values, sources, queries and scripts, at their places in the definition. Unknown tables are warnings: they may be saved later.
 */
export async function conceptDiagnostics(question: ConceptQuestion): Promise<readonly Diagnostic[]> {
    const { concept, others, modules, currentFolder, folders, python, isWhole = false } = question;
    const { definition } = concept;
    if (definition.length > LONGEST) return [];
    const find = findGivenModules(modules);
    const reading = readConcept(concept, find);
    const inputs = reading.reads.flatMap(read => {
        const other = conceptRead(read, others, reading.kind);
        return other === undefined ? [] : [{ read, columns: other.columns.map(name => ({ name })) }];
    });
    const schemas = new Map<string, SourceSchema>(
        inputs.flatMap(({ read, columns }) => (columns.length === 0 ? [] : [[read, { columns }]])),
    );
    const added = [
        ...inputs.filter(({ read }) => !reading.declaredInputs.has(read)).map(({ read }) => `@input("${read}").`),
        ...(reading.declaresOutput ? [] : [`@output("${concept.name}").`]),
    ];
    const kept = keptScripts(concept.scripts);
    const lookup = new SourceLookup({
        tellsMissing: true,
        tellsRefused: true,
        scripts: knownScripts(python, () => kept),
        tries: queryTrials({ maxMemory: MOST_MEMORY }).tryQueries,
    });
    const loaded = await loadProgram(
        {
            file: join(currentFolder, 'program'),
            text: [reading.text, ...added].join('\n'),
            linked: program => withModules(program, find),
            grants: serviceGrants(folders),
            currentFolder,
            parameters: new Map(),
            analysis: { schemas, concept: !isWhole },
        },
        lookup,
    );
    const from = reading.kind === 'query' ? reading.text.indexOf(definition) : 0;
    const until = from + definition.length;
    const found = [...loaded.problems.filter(one => isTold(one, loaded)), ...(await unknownTables(loaded, others))];
    const here = found.filter(({ place, span }) => place.offset + span.start >= from && place.offset + span.end <= until);
    const ordered = here.toSorted((a, b) => a.place.offset + a.span.start - (b.place.offset + b.span.start));
    return problemDiagnostics(
        definition,
        ordered.map(one => shownIn(from, one)),
    );
}

/** The concept that a name means: those of tables do not depend on letter case. */
function conceptRead(read: string, others: ConceptQuestion['others'], kind: ConceptKind): ConceptQuestion['others'][number] | undefined {
    const exact = others.find(({ name }) => name === read);
    if (exact !== undefined || kind !== 'query') return exact;
    return others.find(({ name }) => name.toLowerCase() === read.toLowerCase());
}

/** Warnings about values, sources, queries and scripts. */
const WARNINGS = /^RL(?:4|61|7|81)/u;

/**
 * True if the problem is reported. Binds that need values of a run are not known before it; `unknownTables` reports tables, since it knows
 * the other concepts.
 */
function isTold({ severity, code, place }: Problem, { file, program }: LoadedProgram): boolean {
    if (place.file !== file || code === 'RL7003' || !(severity === 'error' || (severity === 'warning' && WARNINGS.test(code))))
        return false;
    return code !== 'RL6117' || !verifiedBinds(program).some(bind => bind.place === place && takesValues(bind));
}

function takesValues({ options, outer, inner }: Bind): boolean {
    return [...options.values(), outer, inner].some(text => text.includes('${'));
}

/** Finds tables of queries that are neither in the program nor concepts: RL7003 as a warning. */
async function unknownTables({ program, file }: LoadedProgram, others: ConceptQuestion['others']): Promise<readonly Problem[]> {
    if (!program.hasSql) return [];
    const reader = await loadSqlReader();
    const names = others.map(({ name }) => name);
    const defined = [...program.predicates.values()].filter(
        ({ rules, facts, inputBinds }) => rules.length + facts.length + inputBinds.length > 0,
    );
    const known = new Set([...names, ...defined.map(({ name }) => name)].map(name => name.toLowerCase()));
    return program.program.clauses.flatMap(clause => {
        const sql = clause.kind === 'rule' && clause.place.file === file ? sqlOf(clause) : undefined;
        if (sql === undefined) return [];
        const unknown = reader(sql.text).tables.filter(({ name }) => !known.has(name.toLowerCase()));
        return unknown.map(({ name, ...span }) => ({
            ...withMeant(problem('RL7003', clause.place, spanInSql(sql, span), name), nearestName(name, names)),
            severity: 'warning' as const,
        }));
    });
}

/** The problem in a text that begins so many characters later, with what to do about it in its message. */
function shownIn(from: number, { place, message, remedy, ...rest }: Problem): Problem {
    const moved = { ...place, offset: place.offset - from };
    return { ...rest, place: moved, message: remedy === undefined ? message : `${message}; ${remedy}` };
}
