import { stop } from '#engine/reports.ts';
import type { AnalysedProgram, Bind, PredicateKey } from '#language/program/analysed-program.ts';
import type { RunConnectors } from '#server/sources/connectors.ts';
import { provenanceBinds, provenanceRemedy } from './provenance.ts';

/** The binds that a run of these predicates writes to. */
export function writtenBinds(program: AnalysedProgram, keys: readonly PredicateKey[]): Bind[] {
    return [...keys.flatMap(key => program.predicates.get(key)?.outputBinds ?? []), ...provenanceBinds(program)];
}

/** Ends the run where something that it would write cannot be written, as far as that shows beforehand. */
export async function tryTargets(binds: readonly Bind[], connectors: RunConnectors): Promise<void> {
    for (const bind of binds) {
        const location = { place: bind.place, span: bind.annotation.span };
        const sink = connectors.sink(bind) ?? stop('RT061', { location, ...provenanceRemedy(bind) }, bind.type, bind.kind);
        await sink.try();
    }
}
