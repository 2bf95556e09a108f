import { Type } from 'typebox';
import { say } from '#language/program/say.ts';
import { type Tool, tool } from './tool.ts';

const SECTIONS = { usual: 3, most: 10 } as const;

export const DOCUMENTATION_TOOLS: readonly Tool[] = [
    tool({
        name: 'search_docs',
        title: 'Search the documentation',
        description: `The sections of the documentation of rulelang that answer a question best: the language, functions, annotations, data sources, the command
line, and problems by their codes, such as RL2401. Use it before writing what you are not sure of.`,
        input: Type.Object(
            {
                question: Type.String(),
                sections: Type.Optional(
                    Type.Integer({ minimum: 1, maximum: SECTIONS.most, description: `At most; ${SECTIONS.usual} where absent.` }),
                ),
            },
            { additionalProperties: false },
        ),
        isReadOnly: true,
        viewer: true,
        async call({ question, sections = SECTIONS.usual }, { documentation }) {
            const found = documentation?.search([question], sections) ?? [];
            if (found.length === 0)
                return {
                    text: say`The documentation has no section about this. Try other words, or the names of annotations and functions.`,
                };
            return { text: found.map(({ title, url, text }) => `## ${title}\n\n${url}\n\n${text}`).join('\n\n') };
        },
    }),
];
