import { isHeaded } from '#language/library/connected-sources.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import type { Bind, KeyedWrite } from '#language/program/analysed-program.ts';
import { namedAnnotations, textOf } from './annotation-arguments.ts';
import type { BindFacts, PlacedAnnotation } from './program-facts.ts';
import { readSourceText } from './source-text.ts';

/**
 * The predicates whose binds are written (D-63): outputs that a rule or a fact fills. What nothing fills has the rows of its
 * bind and no others, so it is read, whatever `@output` says.
 */
export function writtenPredicates(outputs: Iterable<string>, isFilled: (predicate: string) => boolean): ReadonlySet<string> {
    return new Set([...outputs].filter(isFilled));
}

/** The binds in text order; those of `written` predicates are outputs. `textWith` puts parameters into a text, as far as they are known. */
export function readBinds(
    annotations: readonly PlacedAnnotation[],
    written: ReadonlySet<string>,
    textWith: (text: string) => string = text => text,
): BindFacts[] {
    const keyed = keyedWrites(annotations);
    return namedAnnotations(annotations, 'bind', 'qbind').flatMap(named => {
        const { annotation, place, predicate } = named;
        const source = textOf(annotation.arguments[1]);
        if (source === undefined) return [];
        const text = readSourceText(source);
        const kind = annotation.name === 'qbind' ? 'qbind' : 'bind';
        const direction = written.has(predicate) && kind === 'bind' ? 'output' : 'input';
        const keys = direction === 'output' ? keyed.get(predicate) : undefined;
        const type = isParameterAlone(text.type.text) ? textWith(text.type.text) : text.type.text;
        const options = text.options.flatMap(option =>
            isParameterAlone(option.key.text) ? readSourceText(`${type} ${textWith(option.key.text)}`).options : [option],
        );
        const bind: Bind = {
            annotation,
            place,
            kind,
            predicate,
            direction,
            type: dataSourceNamed(type)?.type ?? type.toLowerCase(),
            options: new Map(options.map(option => [option.key.text, option.value.text])),
            outer: textOf(annotation.arguments[2]) ?? '',
            inner: textOf(annotation.arguments[3]) ?? '',
            ...(keys && { keyed: keys }),
        };
        return [{ ...named, bind, text }];
    });
}

/** A text that is a parameter as a whole: it may stand for a type, or for options. */
export function isParameterAlone(text: string): boolean {
    return /^\$\{[A-Za-z][A-Za-z0-9_]*\}$/u.test(text);
}

/** Maps predicates to their `@delete` or `@update` (8.11). */
function keyedWrites(annotations: readonly PlacedAnnotation[]): ReadonlyMap<string, KeyedWrite> {
    const found = new Map<string, KeyedWrite>();
    for (const { annotation, predicate } of namedAnnotations(annotations, 'delete', 'update')) {
        const columns = Array.from((textOf(annotation.arguments[1]) ?? '').matchAll(/\d+/gu), ([digits]) => Number(digits));
        found.set(predicate, { kind: annotation.name === 'delete' ? 'delete' : 'update', columns });
    }
    return found;
}

/** Identifies a bind by what it says, so that equal binds share what the host knows of their source. */
export function bindKey(bind: Bind): string {
    const { place, predicate, kind, direction, keyed, type, options, outer, inner } = bind;
    return JSON.stringify([place.file, predicate, kind, direction, keyed, type, [...options], outer, inner]);
}

/** The first row of the file names its columns. */
export function hasHeader({ type, options }: Bind): boolean {
    return isHeaded(type) && options.get('useHeaders')?.toLowerCase() === 'true';
}

/** The number of columns that `selectedColumns=[0:2; 4; 'Name']` keeps. */
export function selectedColumnCount(bind: Bind): number | undefined {
    const selected = bind.options.get('selectedColumns');
    if (selected === undefined) return undefined;
    const parts = selected.replace(/^\s*\[|\]\s*$/gu, '').split(/[;,]/u);
    return parts.reduce((count, part) => {
        const range = /^\s*(\d+)\s*:\s*(\d+)\s*$/u.exec(part);
        return count + (range === null ? 1 : Math.max(0, Number(range[2]) - Number(range[1]) + 1));
    }, 0);
}
