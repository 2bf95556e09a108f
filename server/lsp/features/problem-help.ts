import { helpSection } from '#server/problem-help/help-page.ts';
import { problemHelp as helpOn } from '#server/problem-help/problem-help.ts';
import { PROBLEM_METHODS } from '#server/protocol/problems.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature } from '../language-server.ts';

/** Documents a code for a client that shows it as a page. */
export const problemHelp: Feature = {
    capabilities: () => ({}),
    register: server => {
        answerMethods(server, PROBLEM_METHODS, {
            'rulelang/problemHelp': ({ code }) => {
                const help = helpOn(code);
                return help === undefined ? null : `${helpSection(help)}\n`;
            },
        });
    },
};
