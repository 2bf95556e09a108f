import { secretName } from '#language/library/data-sources.ts';
import { say } from '#language/program/say.ts';
import { maskedText } from '#server/secrets/secret-shapes.ts';
import { isSecretOption, namingSecrets } from '#server/secrets/without-secrets.ts';
import type { BindEntry, ConceptParts } from './saved-concept.ts';

type Texts = Pick<ConceptParts, 'definition' | 'binds'>;

/** The texts of a concept, in which passwords and keys of binds are named and not told. */
export function withNamedSecrets({ definition, binds }: Texts): Texts {
    return {
        definition: namingSecrets(definition),
        binds: Object.fromEntries(Object.entries(binds).map(([side, entries]) => [side, entries.map(namingEntry)])),
    };
}

/** Says that a text of a concept has a password or key in it, which the user sees who lists it. */
export function secretWarnings(concept: Texts): string[] {
    const { definition, binds } = withNamedSecrets(concept);
    if (definition === concept.definition && JSON.stringify(binds) === JSON.stringify(concept.binds)) return [];
    return [
        say`A bind has a password or key in its text, which is kept and listed with the concept; name it as in password='\${PASSWORD}' and give its value with the run`,
    ];
}

function namingEntry(entry: BindEntry): BindEntry {
    const shown = Object.entries(entry).map(([key, value]) => [key, namingField(key, value)] as const);
    return { ...entry, ...Object.fromEntries(shown) };
}

function namingField(key: string, value: unknown): unknown {
    if (typeof value === 'string') return key === 'annotation' ? namingSecrets(value) : maskedText(value);
    if (key !== 'options' || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, namedOption(name, one)]));
}

function namedOption(key: string, value: unknown): unknown {
    if (typeof value !== 'string' || value === '' || value.includes('${')) return value;
    return isSecretOption(key) ? `\${${secretName(key)}}` : maskedText(value);
}
