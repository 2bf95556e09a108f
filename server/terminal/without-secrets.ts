import { readSourceText } from '#language/analysis/source-text.ts';
import { isSecret } from '#language/library/data-sources.ts';

/** A bind up to its source text, which is captured as it is written. */
const BIND = /@q?bind\s*\(\s*(?:"(?:[^"\\]|\\.|"")*"|\w+)\s*,\s*"((?:[^"\\]|\\.|"")*)/g;

/** A program text in which the values of credentials are stars, in as many characters; names of secrets stay (9.6). */
export function withoutSecrets(text: string): string {
    if (!text.includes('bind')) return text;
    return text.replace(BIND, (whole: string, source: string) => whole.slice(0, whole.length - source.length) + hidden(source));
}

function hidden(source: string): string {
    let shown = source;
    for (const { key, value } of readSourceText(source).options) {
        if (!isSecret(key.text) || value.text.includes('${')) continue;
        shown = shown.slice(0, value.start) + shown.slice(value.start, value.end).replaceAll(/\S/g, '*') + shown.slice(value.end);
    }
    return shown;
}
