import { join } from 'node:path';
import { placedAnnotations, textOf } from '#language/analysis/annotation-arguments.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import { allProblems } from '#language/modules/all-problems.ts';
import { findGivenModules } from '#language/modules/given-modules.ts';
import { withModules } from '#language/modules/include.ts';
import type { AnalysedProgram, PredicateKey, SourceSchema } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Program } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { serviceGrants } from '#server/files/grants.ts';
import type { ChainRun, ChainRunStep } from '#server/protocol/chain-run.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import type { KeptRows } from './kept-rows.ts';

/** A step of a chain, ready to be evaluated. */
export interface LoadedStep {
    /** The name of its text in places. */
    readonly file: string;
    readonly program: AnalysedProgram;
    readonly problems: readonly Problem[];
    readonly access: SourceAccess;
    /** The predicate of the concept; absent where errors keep it from having one. */
    readonly output?: PredicateKey;
}

/** The text of a step with its modules, and what it may read. */
export function readStep(step: ChainRunStep, run: Pick<ChainRun, 'currentFolder' | 'folders' | 'parameters'>) {
    const file = join(run.currentFolder, 'program');
    const { value, problems } = readProgram(step.text, file);
    const linked = withModules(withoutOverridden(value, step), findGivenModules(step.modules));
    const access: SourceAccess = {
        grants: serviceGrants(run.folders),
        programFile: file,
        pathOf: path => path,
        currentFolder: run.currentFolder,
        parameters: parameterTexts(declaredParameters(placedAnnotations(linked)), run.parameters),
    };
    return { file, linked, problems, access };
}

/** Reads and analyses a step with the columns of its sources and of the steps that it reads. */
export async function loadStep(step: ChainRunStep, run: ChainRun, kept: ReadonlyMap<string, KeptRows>): Promise<LoadedStep> {
    const { file, linked, problems, access } = readStep(step, run);
    const schemas = new Map<string, SourceSchema>(
        step.inputs.flatMap(({ predicate, concept }) => {
            const columns = concept === undefined ? undefined : kept.get(concept)?.listing.columns;
            return columns === undefined ? [] : [[predicate, { columns }] as const];
        }),
    );
    const options = { schemas, concept: true, suppliedParameters: run.parameters };
    const program = await new SourceLookup().analysed(linked, access, options);
    const output = program.outputs.find(key => program.predicates.get(key)?.name === step.concept);
    return { file, program, problems: allProblems(program, problems), access, ...(output !== undefined && { output }) };
}

/** The program without its own declarations of parameters whose values come from another concept. */
function withoutOverridden(program: Program, { ownLength, overridden }: ChainRunStep): Program {
    if (overridden.length === 0) return program;
    const clauses = program.clauses.flatMap(clause => {
        if (clause.place.offset >= ownLength) return [clause];
        const annotations = clause.annotations.filter(
            ({ name, arguments: [argument] }) => name !== 'param' || !overridden.includes(textOf(argument) ?? ''),
        );
        return clause.kind === 'annotation' && annotations.length === 0 ? [] : [{ ...clause, annotations }];
    });
    return { ...program, clauses };
}
