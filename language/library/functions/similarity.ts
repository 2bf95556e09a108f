import { functionEntry } from '../function-entry.ts';
import { DOUBLE, INT } from '../result-types.ts';

/** Similarity functions (6.11). */
export const SIMILARITY_FUNCTIONS = [
    functionEntry('similarity:levenshtein', 'a: string, b: string', INT, 'The number of edits between two texts.'),
    functionEntry('similarity:levenshtein_sim', 'a: string, b: string', DOUBLE, 'The similarity of two texts by edits, from 0 to 1.'),
    functionEntry('similarity:jaro_winkler', 'a: string, b: string', DOUBLE, 'The Jaro-Winkler similarity of two texts, from 0 to 1.'),
    functionEntry('similarity:jaccard', 'a: string, b: string', DOUBLE, 'The share of words that two texts have in common.'),
    functionEntry('similarity:cosine_sim', 'a: list, b: list', DOUBLE, 'The cosine of the angle between two vectors.', {
        aliases: ['similarity:cosine_sim_udf', 'embeddings:cosine_sim', 'embeddings:cosine_sim_udf'],
    }),
];
