import { analyse } from '#language/analysis/analyse.ts';
import { bindKey } from '#language/analysis/binds.ts';
import type { AnalysisOptions, MissingFile } from '#language/analysis/program-facts.ts';
import type { AnalysedProgram, Bind, SourceSchema } from '#language/program/analysed-program.ts';
import type { Program } from '#language/program/program.ts';

/** More missing files than this are no slips of the keyboard; looking at all their folders would take long. */
const MOST_MISSING = 100;

/** Analysis asks for columns, and an answer can only raise further questions about other binds. */
const ROUNDS = 4;

/**
 * Analyses a program with the columns of its sources, as far as `peek` knows them; `more` may have further ones. `missing` tells
 * which of the other files are not there; it is asked up to the hundredth of them.
 */
export function analyseWithSchemas(
    program: Program,
    peek: (bind: Bind) => SourceSchema | undefined,
    suppliedParameters: ReadonlyMap<string, unknown> = new Map(),
    more: Pick<AnalysisOptions, 'schemas' | 'concept'> = {},
    missing?: (bind: Bind) => MissingFile | undefined,
): AnalysedProgram {
    const schemas = new Map(more.schemas);
    const missingFiles = new Map<string, MissingFile>();
    const asked = new Set<string>();
    const options = { ...more, schemas, missingFiles, suppliedParameters };
    let analysed = analyse(program, options);
    for (let round = 0; round < ROUNDS; round++) {
        const open = analysed.schemaNeeds.filter(bind => !asked.has(bindKey(bind)));
        if (open.length === 0) break;
        for (const bind of open) {
            asked.add(bindKey(bind));
            const schema = peek(bind);
            if (schema !== undefined) schemas.set(bindKey(bind), schema);
            const isLooked = schema === undefined && missingFiles.size < MOST_MISSING;
            const absent = isLooked ? missing?.(bind) : undefined;
            if (absent !== undefined) missingFiles.set(bindKey(bind), absent);
        }
        analysed = analyse(program, options);
    }
    return analysed;
}
