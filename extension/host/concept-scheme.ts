/** The scheme of concepts that are opened as documents, and of the scripts beside them. */
export const CONCEPT_SCHEME = 'rulelang-concept';
