import { Type } from 'typebox';
import { conceptRun, conceptSave } from './concept-tools.ts';
import { projectOf } from './project.ts';
import { type Tool, tool } from './tool.ts';

/** Tools of the agent as its contract has always shown them (11.1, D58): they are called, and offered under their other names. */
export const FORMER_TOOLS: readonly Tool[] = [
    tool({
        name: 'create_concept',
        title: 'Save a concept',
        description: 'Now save_concept.',
        needs: 'project',
        input: { concept_name: Type.String(), rulelang_code: Type.String(), description: Type.Optional(Type.String()) },
        isReadOnly: false,
        isDestructive: true,
        viewer: false,
        call: async ({ concept_name: concept, rulelang_code: code, description }, place) =>
            conceptSave({ concept, code, description }, projectOf({}, place)),
    }),
    tool({
        name: 'run_concept',
        title: 'Run a concept',
        description: 'Now run_concept, with other arguments.',
        needs: 'project',
        input: { concept_name: Type.String(), params: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
        isReadOnly: false,
        viewer: false,
        call: async ({ concept_name: concept, params = {} }, place) => conceptRun(concept, params, projectOf({}, place)),
    }),
];
