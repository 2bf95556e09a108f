import { ChildProcesses } from '#server/processes/child-processes.ts';
import { BEFORE_LAST } from '#server/processes/yield-priority.ts';
import type { ToolAnswer, ToolQuestion } from './tool-worker.ts';
import { startWorkers, WORKER_SETTINGS, type Workers } from './workers.ts';

/** Processes that read texts. */
export type Tools = Workers<ToolQuestion, ToolAnswer>;

/** Milliseconds for one text. */
const LONGEST = { user: 15_000, viewer: 5_000 };

const KINDS: Readonly<Record<ToolQuestion['kind'], string>> = {
    analyze: 'program',
    'analyze-sql': 'SQL',
    'parse-binds': 'program',
    'find-effects': 'program',
    'write-binds': 'program',
    survey: 'source',
    'read-document': 'document',
    'translate-sql': 'SQL',
    'translate-rdf': 'RDF',
    'translate-owl': 'OWL',
    'plan-run': 'concepts',
    'read-concept': 'concept',
    'check-concept': 'concept',
    'rename-concept': 'concept',
    'build-bind': 'bind',
    mask: 'answer',
};

/** For all tools: whichever is asked first gets the one that waits. */
const PROCESSES = new ChildProcesses({ file: new URL('./tool-worker.mjs', import.meta.url), priority: BEFORE_LAST });

/** Starts a process for the first question. */
export function prepareTools(): void {
    PROCESSES.prepare(WORKER_SETTINGS);
}

/** As many processes at most as `count`. */
export function startTools(count: number): Tools {
    return startWorkers({ count, processes: PROCESSES, isPrepared: true, longest: LONGEST, subject: ({ kind }) => KINDS[kind] });
}
