import { placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { readBinds } from '#language/analysis/binds.ts';
import { predicatesWritten } from '#language/analysis/predicates-written.ts';
import type { ChainRun, ChainRunStep, FileStamp } from '#server/protocol/chain-run.ts';
import { stampOfSource } from '#server/sources/connectors.ts';
import { readSource } from './load-program.ts';
import { stepSource } from './step-source.ts';

/** The files that a step reads, with what shows a change of each. */
export async function sourceStamps(step: ChainRunStep, run: StepRun): Promise<FileStamp[]> {
    const { binds, access } = bindsOf(step, run);
    const sources = binds.filter(({ direction }) => direction === 'input');
    return Promise.all(sources.map(async bind => ({ file: bind.inner, stamp: (await stampOfSource(bind, access)) ?? null })));
}

/** Whether a step, where it is the last one, writes what it finds somewhere. */
export function writesSomewhere(step: ChainRunStep, run: StepRun): boolean {
    return bindsOf(step, run).binds.some(({ direction }) => direction === 'output');
}

type StepRun = Pick<ChainRun, 'currentFolder' | 'folders' | 'parameters'>;

function bindsOf(step: ChainRunStep, run: StepRun) {
    const { linked, access } = readSource(stepSource(step, run));
    return { binds: readBinds(placedAnnotations(linked), predicatesWritten(linked)).map(({ bind }) => bind), access };
}
