import type { ProgramEffects } from '#language/tools/program-effects.ts';
import type { ConceptRecord } from '#server/tools/project.ts';
import type { CurrentProject, ToolPlace } from '#server/tools/tool.ts';

/** The means of the agent in one project, on behalf of one caller. */
export interface AgentWork extends ToolPlace {
    readonly project: CurrentProject;
    /** Finds what a program touches of the world, as a concept with this output where one is named; undefined where its syntax is wrong. */
    effects(code: string, output?: string): Promise<ProgramEffects | undefined>;
    /** Evaluates a program on the data at hand, and says what was not tried; nothing is written or stored. */
    tryOut(code: string, effects: ProgramEffects): Promise<Trial>;
    /** Concepts as they were before the turn, by name, of those that it changes; undefined for those that it made. */
    readonly changed: Map<string, ConceptRecord | undefined>;
}

/** The result of trying a program. */
export interface Trial {
    readonly outputs: readonly { readonly predicate: string; readonly row_count: number; readonly why_empty?: readonly string[] }[];
    readonly not_run: readonly string[];
}
