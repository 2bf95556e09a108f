import type { TObject } from 'typebox';
import type { ConceptParts } from '#server/projects/saved-concept.ts';
import type { CONCEPT_FIELDS } from '#server/protocol/platform/concept-fields.ts';
import type { Read } from '#server/protocol/platform/schema.ts';

/** The parts of a concept among the fields of a request. `{}`, `""` and the usual group clear what was there. */
export function conceptParts(fields: Read<TObject<typeof CONCEPT_FIELDS>>): Partial<Omit<ConceptParts, 'type' | 'definition'>> {
    const { python_scripts: scripts, description, binds, position, group, compute } = fields;
    return {
        ...(scripts !== undefined && { pythonScripts: scripts }),
        ...(description !== undefined && { description }),
        ...(binds !== undefined && { binds: isEmpty(binds) ? {} : { input: binds.input ?? [], output: binds.output ?? [] } }),
        ...(position !== undefined && { position: position.text === '{}' ? null : position }),
        ...(group !== undefined && { group: group === '' ? 'group_id' : group }),
        ...(compute !== undefined && { compute }),
    };
}

function isEmpty(value: object): boolean {
    return Object.keys(value).length === 0;
}
