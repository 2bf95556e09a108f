import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Program } from '#language/program/program.ts';
import { ProgramAnalysis } from './program-analysis.ts';
import type { AnalysisOptions } from './program-facts.ts';

/** What a program means, and what is wrong with it. Pure; a bad program gives a partial answer and problems. */
export function analyse(program: Program, options: AnalysisOptions = {}): AnalysedProgram {
    return new ProgramAnalysis(options).update(program);
}
