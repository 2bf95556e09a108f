import { readParameters } from '#engine/evaluate/parameters.ts';
import { type ReportContext, stop } from '#engine/reports.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import { isSecret } from '#language/library/data-sources.ts';
import type { Bind, Parameter } from '#language/program/analysed-program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { say } from '#language/program/say.ts';

/** The text of a parameter, undefined where it has no value. RT080 where a value that was given does not fit. */
export type ParameterTexts = (name: string) => string | undefined;

/** The texts of the values that a run gives its parameters: what the host gave in the type of the default, else the default. */
export function parameterTexts(declared: ReadonlyMap<string, Parameter>, given: ReadonlyMap<string, unknown>): ParameterTexts {
    let texts: ReadonlyMap<string, string> | undefined;
    return name => {
        texts ??= readTexts(declared, given);
        return texts.get(name);
    };
}

function readTexts(declared: ReadonlyMap<string, Parameter>, given: ReadonlyMap<string, unknown>): Map<string, string> {
    const dictionary = new Dictionary();
    const values = readParameters(declared, given, dictionary, () => undefined);
    return new Map(Array.from(values, ([name, { value, type }]) => [name, textOf(dictionary, value, type, String)]));
}

/**
 * The bind with parameters put in place of `${name}`; `$${` stands for itself. A name without value ends the run, but for one in a
 * credential that is a secret: there stands its text.
 */
export function withParameters(bind: Bind, texts: ParameterTexts, context: ReportContext, secretText?: (name: string) => string): Bind {
    const put = (text: string, otherwise?: (name: string) => string, keepsEscapes = false): string =>
        textWithParameters(text, texts, context, otherwise, keepsEscapes);
    const options = new Map([...bind.options].map(([key, value]) => [key, put(value, isSecret(key) ? secretText : undefined)]));
    // A query that takes values is read with its escapes when they are bound.
    const inner = put(bind.inner, undefined, queryParameters(bind).length > 0);
    return { ...bind, options, outer: put(bind.outer), inner };
}

/** The text with parameters put in place of `${name}`; `otherwise` gives the text of a name that is none. `$${` stands for `${`, unless it is read later. */
export function textWithParameters(
    text: string,
    texts: ParameterTexts,
    context: ReportContext,
    otherwise?: (name: string) => string,
    keepsEscapes = false,
): string {
    return text.replace(/\$(\$\{)|\$\{([A-Za-z][A-Za-z0-9_]*)\}/g, (whole: string, literal: string | undefined, name = '') => {
        if (literal !== undefined) return keepsEscapes ? whole : literal;
        return (
            texts(name) ??
            otherwise?.(name) ??
            stop('RT063', context, whole, say`no parameter has this name, and secrets do not belong in files and paths`)
        );
    });
}

/** The name of the secret that a text is nothing but; undefined where a parameter has this name. */
export function secretNamed(text: string, texts: ParameterTexts): string | undefined {
    const name = /^\$\{([A-Za-z][A-Za-z0-9_]*)\}$/.exec(text)?.[1];
    return name === undefined || texts(name) !== undefined ? undefined : name;
}
