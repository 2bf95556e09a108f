import { type OptionText, readSourceText } from '#language/analysis/source-text.ts';
import { isSecret, secretName } from '#language/library/data-sources.ts';
import { namesSecret } from '#server/protocol/secret-names.ts';
import { maskedText } from './secret-shapes.ts';

/** An annotation with a source up to its source text, which is captured as it is written. */
const BIND = /@(?:q?bind\s*\(\s*(?:"(?:[^"\\]|\\.|"")*"|\w+)\s*,|(?:chase|explain)\s*\()\s*"((?:[^"\\]|\\.|"")*)/g;
/** The whole of it. */
const WHOLE_BIND = /@(?:q?bind|chase|explain)\s*\((?:[^")]|"(?:[^"\\]|\\[\s\S]|"")*(?:"|\\?$))*/g;
/** One that nothing closes reaches to the end: looking for its end anew from each quote in it would take the square of its length. */
const LITERAL = /"(?:[^"\\]|\\[\s\S]|"")*(?:"|\\?$)/g;

/** A program text in which the values of credentials are stars, in as many characters; names of secrets stay (9.6). */
export function withoutSecrets(text: string): string {
    return replaced(text, (_, value) => value.replaceAll(/\S/g, '*'));
}

/**
 * A program text that names the secrets of its binds instead of telling them: `password='${PASSWORD}'`. Those in addresses, headers and
 * connection strings are masked.
 */
export function namingSecrets(text: string): string {
    const named = replaced(text, ({ key, form }) => {
        const name = `\${${secretName(key.text)}}`;
        return form === 'quoted' ? name : `'${name}'`;
    });
    return named.replaceAll(WHOLE_BIND, bind => bind.replaceAll(LITERAL, maskedText));
}

/** Whether the value of an option of a bind is a secret by its key. */
export function isSecretOption(key: string): boolean {
    return isSecret(key) || namesSecret(key);
}

/** The text with something else in the place of each credential in a bind. */
function replaced(text: string, instead: (option: OptionText, value: string) => string): string {
    const hidden = (source: string): string => {
        const secrets = readSourceText(source).options.filter(
            ({ key, value }) => isSecretOption(key.text) && value.text !== '' && !value.text.includes('${'),
        );
        let shown = source;
        // From the end on, so that the places of those before stay.
        for (const option of secrets.toReversed()) {
            const { start, end } = option.value;
            shown = shown.slice(0, start) + instead(option, shown.slice(start, end)) + shown.slice(end);
        }
        return shown;
    };
    return text.replace(BIND, (whole: string, source: string) => whole.slice(0, whole.length - source.length) + hidden(source));
}
