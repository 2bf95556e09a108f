import { isSecret, secretName } from '#language/library/data-sources.ts';
import { namingSecrets } from '#server/terminal/without-secrets.ts';
import type { BindEntry, ConceptParts } from './saved-concept.ts';

type Texts = Pick<ConceptParts, 'definition' | 'binds'>;

/** The texts of a concept, in which passwords and keys of binds are named and not told. */
export function withNamedSecrets({ definition, binds }: Texts): Texts {
    return {
        definition: namingSecrets(definition),
        binds: Object.fromEntries(Object.entries(binds).map(([side, entries]) => [side, entries.map(namingEntry)])),
    };
}

/** Says that a text of a concept has a password or key in it, which everybody sees who may read the concept. */
export function secretWarnings(concept: Texts): string[] {
    const { definition, binds } = withNamedSecrets(concept);
    if (definition === concept.definition && JSON.stringify(binds) === JSON.stringify(concept.binds)) return [];
    return [
        `A bind has a password or key in its text, which lists of concepts show; name it as in password='\${PASSWORD}' and give its value with the run`,
    ];
}

function namingEntry(entry: BindEntry): BindEntry {
    const { annotation, options } = entry;
    return {
        ...entry,
        annotation: namingSecrets(annotation),
        ...(typeof options === 'object' && options !== null && { options: Object.fromEntries(Object.entries(options).map(namingOption)) }),
    };
}

function namingOption([key, value]: readonly [string, unknown]): readonly [string, unknown] {
    const isTold = isSecret(key) && typeof value === 'string' && value !== '' && !/\$\{/u.test(value);
    return [key, isTold ? `\${${secretName(key)}}` : value];
}
