import type { Type } from '#language/program/types.ts';
import { type CallShape, functionEntry } from '../function-entry.ts';
import { generateOptions } from '../prompt-text.ts';
import { DOUBLE, INT, listOf, STRING } from '../result-types.ts';
import { typeNamed } from '../type-names.ts';

function generated(call: CallShape): Type {
    const named = generateOptions(call)?.get('output_type');
    return (named === undefined ? undefined : typeNamed(named)) ?? STRING;
}

const provided = { provider: true };

/** Functions of language models, vectors and other providers (6.12, 7.6, 7.7). */
export const PROVIDER_FUNCTIONS = [
    functionEntry('llm:generate', 'prompt: string, values: any…?', generated, 'The answer of a language model to a prompt.', {
        provider: true,
        variesBy: 'match',
        strict: false,
    }),
    functionEntry('embeddings:vectorize', 'texts: string…', listOf(DOUBLE), 'The embedding vector of a text.', provided),
    functionEntry(
        'ask',
        'prompt: any, options: string, values: any…?',
        STRING,
        'The rows of a predicate, or entries of a vector store, that are nearest to a text or a vector, as a JSON array.',
        provided,
    ),
    functionEntry(
        'anonymization:risk',
        'frequency: number, weights: list, iterations: integer',
        DOUBLE,
        'The risk that a record can be re-identified.',
        provided,
    ),
    functionEntry('anonymization:msu', 'attributes: any, m: integer, k: integer', INT, 'The number of minimal sample uniques.', provided),
    functionEntry(
        'kalmanFilter:fault',
        'a: any, b: any, c: any, r: any, q: any, x: any, u: any, nu: any',
        STRING,
        'The state of a Kalman filter that detects faults.',
        provided,
    ),
    functionEntry(
        'kalmanFilter:extractor',
        'state: any, part: any, position: integer',
        INT,
        'A part of the state of a Kalman filter.',
        provided,
    ),
];
