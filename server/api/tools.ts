import { startThreads, type Threads } from './threads.ts';
import type { ToolAnswer, ToolQuestion } from './tool-worker.ts';

/** Threads that read texts. */
export type Tools = Threads<ToolQuestion, ToolAnswer>;

/** Milliseconds for one text. */
const LONGEST = { user: 15_000, viewer: 5_000 };

const KINDS: Readonly<Record<ToolQuestion['kind'], string>> = {
    analyze: 'program',
    'analyze-sql': 'SQL',
    'parse-binds': 'program',
    'find-effects': 'program',
    survey: 'source',
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

export function startTools(threads: number, yields = false): Tools {
    return startThreads({ threads, program: './tool-worker.mjs', yields, longest: LONGEST, subject: ({ kind }) => KINDS[kind] });
}
