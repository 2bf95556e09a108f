import { Type } from 'typebox';
import { say } from '#language/program/say.ts';
import { LIMITS } from './limits.ts';
import { type Tool, tool } from './tool.ts';

const { sections: SECTIONS } = LIMITS;

export const DOCUMENTATION_TOOLS: readonly Tool[] = [
    tool({
        name: 'search_docs',
        title: 'Search the documentation',
        description: `The sections of the documentation of rulelang that answer a question best: the language, functions, annotations, data sources, the command
line, and problems by their codes, such as RL2401. Use it before writing what you are not sure of.`,
        input: {
            question: Type.String(),
            sections: Type.Optional(
                Type.Integer({ minimum: 1, maximum: SECTIONS.most, description: `At most; ${SECTIONS.usual} where absent.` }),
            ),
        },
        isReadOnly: true,
        viewer: true,
        async call({ question, sections: most = SECTIONS.usual }, { documentation }) {
            const sections = (documentation?.search([question], most) ?? []).map(({ title, url, text }) => ({ title, url, text }));
            const text = sections.map(({ title, url, text }) => `## ${title}\n\n${url}\n\n${text}`).join('\n\n');
            const nothing = say`The documentation has no section about this. Try other words, or the names of annotations and functions.`;
            return { kind: 'answer', data: { sections }, text: text === '' ? nothing : text };
        },
    }),
];
