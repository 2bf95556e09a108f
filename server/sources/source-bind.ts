import { stop } from '#engine/reports/reports.ts';
import { textOf } from '#language/analysis/annotation-arguments.ts';
import { readSourceText } from '#language/analysis/source-text.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { withControls } from '#language/library/with-controls.ts';
import { printString } from '#language/program/print-constant.ts';
import { say } from '#language/program/say.ts';
import { onlyBind } from '#language/tools/build-bind.ts';

/** What a bind says that reads a source into some predicate. It holds no secret. */
export interface SourceBind {
    readonly kind: 'bind' | 'qbind';
    readonly type: string;
    /** The source text of the bind. */
    readonly source: string;
    readonly outer: string;
    readonly inner: string;
    /** The variable of the environment with the password of the source, which the bind names. */
    readonly secret?: string;
}

/** Where a connection leads, and what opens it: a bind has these from the place of its source alone. */
const CONNECTION = new Set(['url', 'protocol', 'host', 'port', 'database', 'username', 'password', 'query']);

/** Those of the options that a bind of the type has, but for what leads to the source and what is secret. */
export function bindOptions(type: string, given: Iterable<readonly [string, string]>): [string, string][] {
    const known = dataSourceNamed(type)?.options;
    return [...given].flatMap(([key, value]): [string, string][] => {
        const option = known?.get(key);
        return option === undefined || option.secret || CONNECTION.has(key) ? [] : [[key, withControls(value)]];
    });
}

/** `type key='value', …`; RT064 for a value that a bind cannot hold. */
export function sourceText(type: string, options: Iterable<readonly [string, string]>): string {
    const written = [...options].map(([key, value]) => `${key}=${valueText(type, key, value)}`);
    return written.length === 0 ? type : `${type} ${written.join(', ')}`;
}

/** The first of the forms that a value can have which is read as the value again. */
function valueText(type: string, key: string, value: string): string {
    const kind = dataSourceNamed(type)?.options.get(key)?.value.kind;
    const isBare = key === 'selectedColumns' || (kind === 'integer' && /^\d+$/u.test(value));
    const escaped = value.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r');
    const forms = isBare ? [value] : [`'${escaped}'`, `"${escaped}"`, value];
    const isRead = (form: string): boolean =>
        ['', ", next='1'"].every(more => readSourceText(`${type} ${key}=${form}${more}`).options[0]?.value.text === value);
    return forms.find(isRead) ?? stop('RT064', {}, `${key}=${value}`, say`stands in no bind: its signs would be read as others`);
}

/** The annotation that reads the source into a predicate. */
export function printBind(predicate: string, { kind, type, source, outer, inner, secret }: SourceBind): string {
    const [name = '', ...parts] = [predicate, source, outer, inner].map(text => text.replaceAll('${', () => '$${'));
    if (secret !== undefined) parts[0] += `${source === type ? '' : ','} password='\${${secret}}'`;
    return `@${kind}(${[name, ...parts].map(printString).join(',')}).`;
}

/** The same bind with options that are true or false without quotes: `csv useHeaders=true`. */
export function withPlainFlags(bind: SourceBind): SourceBind {
    const { options } = readSourceText(bind.source);
    const known = dataSourceNamed(bind.type)?.options;
    const flags = options.filter(({ key, form }) => form === 'quoted' && known?.get(key.text)?.value.kind === 'boolean');
    const source = flags.reduceRight(
        (text, { value }) => text.slice(0, value.start - 1) + value.text + text.slice(value.end + 1),
        bind.source,
    );
    return { ...bind, source };
}

/** What `printBind` has written. */
export function readBind(annotation: string): SourceBind {
    const found = onlyBind(annotation)?.annotation;
    if (found === undefined) throw new TypeError(`no bind: ${annotation}`);
    const [, source = '', outer = '', inner = ''] = found.arguments.map(argument => (textOf(argument) ?? '').replaceAll('$${', () => '${'));
    return { kind: found.name === 'qbind' ? 'qbind' : 'bind', type: readSourceText(source).type.text, source, outer, inner };
}
