import { cellPredicates } from '#language/editing/cell-predicates.ts';
import { clauseText } from '#language/editing/clause-text.ts';
import { factQuestion } from '#language/editing/fact-question.ts';
import { selectedPart } from '#language/editing/selected-part.ts';
import { programParameters } from '#language/tools/program-parameters.ts';
import { QUESTION_METHODS } from '#server/protocol/why-not.ts';
import { secretParameters } from '#server/secrets/secret-parameters.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature } from '../language-server.ts';

/**
 * Answers to clients that build a question to a run from a place: why a fact is missing, the part that a selection evaluates, and the
 * parameters of a run.
 */
export const questionAt: Feature = {
    capabilities: () => ({}),
    register: server => {
        answerMethods(server, QUESTION_METHODS, {
            'rulelang/questionAt': ({ uri, position }) => {
                const document = server.documents.get(uri);
                const question = document && factQuestion(document.program, document.offsetAt(position));
                return question === undefined ? null : { question };
            },
            'rulelang/clauseAt': ({ uri, position }) => {
                const document = server.documents.get(uri);
                const clause = document && clauseText(document.program, document.offsetAt(position));
                return clause === undefined ? null : { clause };
            },
            'rulelang/selectedPart': ({ uri, range }) => {
                const document = server.documents.get(uri);
                if (document === undefined) return null;
                const selected = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
                return selectedPart(document.program, selected) ?? null;
            },
            'rulelang/cellPredicates': ({ uri, range: { start, end } }) => {
                const document = server.documents.get(uri);
                if (document === undefined) return null;
                return cellPredicates(document.program, { start: document.offsetAt(start), end: document.offsetAt(end) });
            },
            'rulelang/parameters': async ({ uri }) => {
                if (server.documents.get(uri)?.program.program.inclusion !== undefined) await server.reading.settled();
                const document = server.documents.get(uri);
                if (document === undefined) return [];
                const { analysed } = document.program;
                const secrets = secretParameters(analysed);
                return programParameters(analysed).map(parameter =>
                    secrets.has(parameter.name) ? { ...parameter, secret: true as const } : parameter,
                );
            },
        });
    },
};
