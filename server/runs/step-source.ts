import { join } from 'node:path';
import { textOf } from '#language/analysis/annotation-arguments.ts';
import { findGivenModules } from '#language/modules/given-modules.ts';
import { withModules } from '#language/modules/include.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import type { Program } from '#language/program/program.ts';
import { serviceGrants } from '#server/files/grants.ts';
import type { ChainRun, ChainRunStep } from '#server/protocol/chain-run.ts';
import type { KeptRows } from './kept-rows.ts';
import type { ProgramSource } from './load-program.ts';

/** Returns the program of a step in a chain, with the columns of the steps that it reads. */
export function stepSource(
    step: ChainRunStep,
    { currentFolder, folders, parameters }: Pick<ChainRun, 'currentFolder' | 'folders' | 'parameters'>,
    kept: ReadonlyMap<string, KeptRows> = new Map(),
): ProgramSource {
    const schemas = new Map<string, SourceSchema>(
        step.inputs.flatMap(({ predicate, concept }) => {
            const columns = concept === undefined ? undefined : kept.get(concept)?.listing.columns;
            return columns === undefined ? [] : [[predicate, { columns }] as const];
        }),
    );
    return {
        file: join(currentFolder, 'program'),
        text: step.text,
        linked: program => withModules(withoutOverridden(program, step), findGivenModules(step.modules)),
        grants: serviceGrants(folders),
        currentFolder,
        parameters,
        analysis: { schemas, concept: true },
    };
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
