import { elementTexts, JsonText, memberTexts } from '#server/protocol/json-text.ts';
import { namesSecret } from '#server/protocol/secret-names.ts';
import { MASK, maskedCode, maskedText } from './secret-shapes.ts';
import { namingSecrets } from './without-secrets.ts';

/** Fields with other texts than programs. */
const NO_PROGRAMS = new Set(['container', 'description', 'message', 'options', 'target']);

/** An answer as a viewer sees it: secrets are masked, in programs and their binds too. What holds none stays as it is. */
export function forViewer(answer: unknown): unknown {
    return masked(answer, '', maskedProgram);
}

/** Returns a value as a viewer sees it, of the configuration or of anything but a program. */
export function valueForViewer(value: unknown, name = ''): unknown {
    return masked(value, name, maskedText);
}

function maskedProgram(text: string): string {
    return maskedCode(namingSecrets(text));
}

/** `mask` is for texts whose name does not say that they are secrets. */
function masked(value: unknown, name: string, mask: (text: string) => string): unknown {
    if (value instanceof JsonText) return maskedJson(value, name);
    if (typeof value === 'string') {
        if (value !== '' && namesSecret(name)) return value.startsWith('${') ? value : MASK;
        return mask(value);
    }
    if (typeof value === 'number' || typeof value === 'bigint') return namesSecret(name) ? MASK : value;
    if (Array.isArray(value)) return value.map(one => masked(one, name, mask));
    if (typeof value !== 'object' || value === null) return value;
    const shown = Object.fromEntries(
        Object.entries(value).map(([key, one]) => [
            key,
            masked(one, namesSecret(name) ? name : key, NO_PROGRAMS.has(key) ? maskedText : mask),
        ]),
    );
    const isSecretParameter = 'default' in shown && 'name' in value && typeof value.name === 'string' && namesSecret(value.name);
    return isSecretParameter && shown.default !== null ? { ...shown, default: MASK } : shown;
}

/** JSON as it is written, but for its secrets. */
function maskedJson(json: JsonText, name: string): unknown {
    switch (json.text[0]) {
        case '{':
            return Object.fromEntries(
                Array.from(memberTexts(json.text), ([key, text]) => [key, maskedJson(new JsonText(text), namesSecret(name) ? name : key)]),
            );
        case '[':
            return elementTexts(json.text).map(text => maskedJson(new JsonText(text), name));
        case '"':
            return masked(json.value, name, maskedText);
        default:
            return namesSecret(name) && typeof json.value === 'number' ? MASK : json;
    }
}
