import { factQuestion } from '#language/editing/fact-question.ts';
import { QUESTION_METHODS } from '#server/protocol/why-not.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature } from '../language-server.ts';

/** The question about the fact at a place, for a client that asks why it is missing. */
export const questionAt: Feature = {
    capabilities: () => ({}),
    register: server => {
        answerMethods(server, QUESTION_METHODS, {
            'rulelang/questionAt': ({ uri, position }) => {
                const document = server.documents.get(uri);
                const question = document && factQuestion(document.program, document.offsetAt(position));
                return question === undefined ? null : { question };
            },
        });
    },
};
