import { readParameters } from '#engine/evaluate/parameters.ts';
import { type ReportContext, stop } from '#engine/reports/reports.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import { isSecret } from '#language/library/data-sources.ts';
import type { Bind, Parameter } from '#language/program/analysed-program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { say } from '#language/program/say.ts';
import { type Backslashes, isComment, quotedParts } from './sql-parts.ts';

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
    const put = (text: string, otherwise?: (name: string) => string): string => textWithParameters(text, texts, context, otherwise);
    const putQuery = (text: string, keepsEscapes = false): string => queryWithParameters(text, texts, context, { bind, keepsEscapes });
    const options = new Map(
        [...bind.options].map(([key, value]) => [
            key,
            key === 'query' ? putQuery(value) : put(value, isSecret(key) ? secretText : undefined),
        ]),
    );
    // A query that takes values is read with its escapes when they are bound.
    const inner = bind.kind === 'qbind' ? putQuery(bind.inner, queryParameters(bind).length > 0) : put(bind.inner);
    return { ...bind, options, outer: put(bind.outer), inner };
}

const PARAMETER = String.raw`\$\$\{|\$\{(?<name>[A-Za-z][A-Za-z0-9_]*)\}`;
const PARAMETERS = new RegExp(PARAMETER, 'gu');

/** The text with parameters put in place of `${name}`; `otherwise` gives the text of a name that is none. */
export function textWithParameters(
    text: string,
    texts: ParameterTexts,
    context: ReportContext,
    otherwise?: (name: string) => string,
): string {
    return text.replace(PARAMETERS, (whole: string, name: string | undefined) => {
        if (name === undefined) return '${';
        return (
            texts(name) ??
            otherwise?.(name) ??
            stop('RT063', context, whole, say`no parameter has this name, and secrets do not belong in files and paths`)
        );
    });
}

/** Numbers, and names with dots between: what stands in a query as it is. */
const PLAIN = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)$/u;
const PARTS: Readonly<Record<Backslashes, RegExp>> = {
    kept: new RegExp(`${PARAMETER}|${quotedParts('kept')}`, 'gu'),
    escapes: new RegExp(`${PARAMETER}|${quotedParts('escapes')}`, 'gu'),
};

/**
 * A query of SQL with parameters put in place of `${name}`, so that no value becomes more of it than a value: within quotes it stays
 * within them, elsewhere it is a number or a name. RT064 for others. `$${` stands for `${`, unless it is read later.
 */
function queryWithParameters(
    query: string,
    texts: ParameterTexts,
    context: ReportContext,
    { bind, keepsEscapes }: { readonly bind: Bind; readonly keepsEscapes: boolean },
): string {
    const backslashes = bind.type === 'mysql' || bind.type === 'mariadb' ? 'escapes' : 'kept';
    const refuse = (shown: string): never => {
        const remedy = say`write it within quotes: elsewhere a value is a number or a name`;
        return stop(
            'RT064',
            { ...context, remedy },
            bind.predicate,
            say`is asked with ${shown} where its value would be more than a value`,
        );
    };
    const given = (shown: string): string => textWithParameters(shown, texts, context);
    const unquoted = (shown: string): string => {
        const value = given(shown);
        if (!PLAIN.test(value)) return refuse(shown);
        // Two signs begin a comment.
        return value.startsWith('-') ? ` ${value}` : value;
    };
    return query.replace(PARTS[backslashes], (part: string) => {
        if (part === '$${') return keepsEscapes ? part : '${';
        if (isComment(part)) return part;
        if (part.startsWith('${')) return unquoted(part);
        const quote = part.at(-1) ?? '';
        const escapes = quote !== '`' && (backslashes === 'escapes' || /^e/iu.test(part));
        return part.replace(PARAMETERS, shown => {
            if (shown === '$${') return keepsEscapes ? shown : '${';
            if (quote === '$') return refuse(shown);
            const value = given(shown).replaceAll(quote, quote + quote);
            return escapes ? value.replaceAll('\\', '\\\\') : value;
        });
    });
}

/** The name of the secret that a text is nothing but; undefined where a parameter has this name. */
export function secretNamed(text: string, texts: ParameterTexts): string | undefined {
    const name = /^\$\{([A-Za-z][A-Za-z0-9_]*)\}$/.exec(text)?.[1];
    return name === undefined || texts(name) !== undefined ? undefined : name;
}
