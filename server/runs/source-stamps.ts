import { namedAnnotations, placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { readBinds } from '#language/analysis/binds.ts';
import type { ChainRun, ChainRunStep, FileStamp } from '#server/protocol/chain-run.ts';
import { stampOfSource } from '#server/sources/file-connectors.ts';
import { readStep } from './load-step.ts';

/** The files that a step reads, with what shows a change of each. */
export function sourceStamps(step: ChainRunStep, run: Pick<ChainRun, 'currentFolder' | 'folders' | 'parameters'>): FileStamp[] {
    const { linked, access } = readStep(step, run);
    const annotations = placedAnnotations(linked);
    const outputs = new Set(namedAnnotations(annotations, 'output').map(({ predicate }) => predicate));
    return readBinds(annotations, outputs).flatMap(({ bind }) =>
        bind.direction === 'input' ? [{ file: bind.inner, stamp: stampOfSource(bind, access) ?? null }] : [],
    );
}
