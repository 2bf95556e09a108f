import { ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { factQuestion } from '#language/editing/fact-question.ts';
import { isQuestionPlace, type QuestionRequests } from '#server/protocol/why-not.ts';
import type { Feature } from '../language-server.ts';

/** The question about the fact at a place, for a client that asks why it is missing. */
export const questionAt: Feature = {
    capabilities: () => ({}),
    register: ({ connection, documents, guard }) => {
        const method = 'rulelang/questionAt';
        connection.onRequest(
            method,
            guard.request(method, (params: unknown): QuestionRequests[typeof method]['result'] => {
                if (!isQuestionPlace(params)) throw new ResponseError(ErrorCodes.InvalidParams, `${method} was asked without a place`);
                const document = documents.get(params.uri);
                const question = document && factQuestion(document.program, document.offsetAt(params.position));
                return question === undefined ? null : { question };
            }),
        );
    },
};
