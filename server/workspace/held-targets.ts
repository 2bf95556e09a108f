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

/** The output binds of a program; an output of several numbers of columns has none that are sure. */
export function writtenBinds({ binds, outputs, predicates }: AnalysedProgram): readonly WrittenBind[] {
    const written = outputs.flatMap(key => predicates.get(key) ?? []);
    return binds.flatMap(bind => {
        const [output, another] = bind.direction === 'output' ? written.filter(({ name }) => name === bind.predicate) : [];
        return output === undefined || another !== undefined
            ? []
            : [{ bind, columns: output.columns.map(({ name, type }) => ({ name, type })) }];
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
