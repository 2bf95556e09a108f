import { attempt, type ConceptCommand, makeProject } from './concept-work.ts';

export const newProject: ConceptCommand = work =>
    attempt(work, async connection => ((await makeProject(connection)) === undefined ? 'nothing to do' : 'done'));
