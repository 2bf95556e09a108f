import { textOf } from '#language/analysis/annotation-arguments.ts';
import { readSourceText } from '#language/analysis/source-text.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { printString } from '#language/program/print-constant.ts';
import type { Annotation } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import { tokenize } from '#language/syntax/tokenize.ts';

export type BuiltBind = { readonly ok: true; readonly annotation: string } | { readonly ok: false; readonly reason: string };

/** Whether a text is the name of a predicate. */
export function isPredicateName(text: string): boolean {
    const [token, ...more] = tokenize(text);
    return more.length === 0 && token?.kind === 'name' && token.text === text && !text.includes(':');
}

/**
 * A bind annotation for another predicate. For an output, the target is called after the predicate too, with the file
 * extension it had, and a query reads everything of it. All else stays as it is written.
 */
export function buildBind(text: string, predicate: string, isOutput: boolean): BuiltBind {
    const found = onlyBind(text) ?? onlyBind(`${text}.`);
    if (found === undefined) return { ok: false, reason: say`the text is not exactly one @bind or @qbind annotation` };
    const [first, source, , last] = found.annotation.arguments;
    if (first === undefined || textOf(first) === undefined)
        return { ok: false, reason: say`the first argument is not the name of a predicate` };
    const changes = [{ ...first.span, by: printString(predicate) }];
    if (isOutput) {
        const target = textOf(last);
        if (last === undefined || target === undefined) return { ok: false, reason: say`the last argument is not a text` };
        const name = found.annotation.name === 'qbind' ? `SELECT * FROM ${predicate}` : `${predicate}${extension(target, textOf(source))}`;
        changes.push({ ...last.span, by: printString(name) });
    }
    let annotation = text;
    for (const { start, end, by } of changes.reverse())
        annotation = annotation.slice(0, found.offset + start) + by + annotation.slice(found.offset + end);
    return { ok: true, annotation };
}

/** The annotation of a text that is exactly one `@bind` or `@qbind`, and its offset. */
export function onlyBind(text: string): { readonly annotation: Annotation; readonly offset: number } | undefined {
    const { value, problems } = readProgram(text, '');
    const [clause, ...more] = value.clauses;
    if (problems.some(({ severity }) => severity === 'error') || more.length > 0 || clause?.kind !== 'annotation') return undefined;
    const [annotation, ...others] = clause.annotations;
    if (annotation === undefined || others.length > 0) return undefined;
    return annotation.name === 'bind' || annotation.name === 'qbind' ? { annotation, offset: clause.place.offset } : undefined;
}

/** The end of a file's name from its last dot on; tables have none. */
function extension(target: string, source: string | undefined): string {
    const named = source === undefined ? undefined : dataSourceNamed(readSourceText(source).type.text);
    if (named !== undefined && named.inner !== 'file' && named.inner !== 'path') return '';
    return /[^./\\](\.[^./\\]+)$/u.exec(target)?.[1] ?? '';
}
