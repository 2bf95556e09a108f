import { printType } from '#language/program/types.ts';
import type { ConceptColumn } from '#language/tools/concept-definition.ts';
import { apiError, invalidText } from '#server/protocol/platform/api-error.ts';
import { apiTypeOf } from '#server/runs/api-types.ts';
import type { ConceptText, ReadConceptText } from './concept-text.ts';
import type { RenamedText } from './renamed-text.ts';
import type { ConceptParts, SavedReading } from './saved-concept.ts';

/** Reads and rewrites the texts of concepts beside the thread that asks, for they may be long. */
export interface ConceptTexts {
    read(text: ConceptText): Promise<ReadConceptText>;
    /** The texts with another name for a predicate. */
    rename(text: ConceptText, from: string, to: string): Promise<RenamedText>;
}

/** Returns the facts from the texts of a concept; refuses Python that is not the whole of it, or missing. */
export function readingOf(read: ReadConceptText, name: string, { pythonScripts }: Pick<ConceptParts, 'pythonScripts'>): SavedReading {
    switch (read.kind) {
        case 'refused':
            throw invalidText(read.code, read.diagnostics);
        case 'sql':
            return { columns: read.columns, params: [], reads: read.tables };
        case 'logic': {
            const { columns, parameters, reads, python, module, includes, heads, bound } = read.value;
            if (python.kind === 'mixed') throw apiError('python_not_standalone', []);
            if (python.kind === 'script' && !Object.hasOwn(pythonScripts, python.script)) {
                const details = { script: python.script, python_scripts: Object.keys(pythonScripts).sort() };
                throw apiError('script_not_found', [python.script], { details });
            }
            const own = columns.get(name) ?? [];
            return {
                columns: own.map(column => column.name),
                types: own.map(typeName),
                params: parameters,
                reads,
                ...(python.kind === 'script' && { script: python.script }),
                ...(module !== undefined && { module }),
                ...(includes.length > 0 && { includes }),
                ...((module !== undefined || includes.length > 0) && { supplies: [...heads, ...bound] }),
            };
        }
    }
}

/** The type of a column as answers call it. */
export function typeName({ type }: ConceptColumn): string {
    return type === undefined ? 'UNKNOWN' : apiTypeOf(printType(type));
}

/** The texts of a concept as they are read. */
export function conceptText({ type, definition, binds }: Pick<ConceptParts, 'type' | 'definition' | 'binds'>): ConceptText {
    return { type, definition, binds: [...(binds.input ?? []), ...(binds.output ?? [])].map(({ annotation }) => annotation) };
}
