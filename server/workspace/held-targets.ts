import { bindKey } from '#language/analysis/binds.ts';
import type { HeldTarget } from '#language/analysis/program-facts.ts';
import type { AnalysedProgram, Bind } from '#language/program/analysed-program.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { heldTargetOf, readTargets } from '#server/sources/connectors.ts';
import type { WrittenColumn } from '#server/sources/unlike-values.ts';

/** A bind that writes, and the columns that it writes. */
export interface WrittenBind {
    readonly bind: Bind;
    readonly columns: readonly WrittenColumn[];
}

/** The output binds of a program. It asks for their predicates alone: it is asked after each key, and a program may have thousands of others. */
export function writtenBinds({ binds, predicatesNamed }: AnalysedProgram): readonly WrittenBind[] {
    return binds.flatMap(bind => {
        const output = bind.direction === 'output' ? predicatesNamed(bind.predicate).find(({ output }) => output) : undefined;
        return output === undefined ? [] : [{ bind, columns: output.columns.map(({ name, type }) => ({ name, type })) }];
    });
}

/** Finds the targets that a run would replace, or that would end it, by the keys of binds. */
export async function heldTargets(
    written: readonly WrittenBind[],
    { binds }: AnalysedProgram,
    access: SourceAccess,
): Promise<ReadonlyMap<string, HeldTarget>> {
    const read = readTargets(binds, access);
    const held = new Map<string, HeldTarget>();
    for (const { bind, columns } of written) {
        const found = await heldTargetOf(bind, access, { columns, read });
        if (found !== undefined) held.set(bindKey(bind), found);
    }
    return held;
}
