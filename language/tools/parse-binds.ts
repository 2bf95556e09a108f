import { placedAnnotations, textOf } from '#language/analysis/annotation-arguments.ts';
import { readBinds } from '#language/analysis/binds.ts';
import { predicatesWritten } from '#language/analysis/predicates-written.ts';
import { readProgram } from '#language/read-program.ts';
import type { Tool } from './program-interface.ts';

/** A program taken apart into what it computes and where its data come from and go. */
export interface ParsedBinds {
    /** Rules, facts and comments; without annotations, trimmed, and with at most one blank line between lines. */
    readonly code: string;
    /** In text order. */
    readonly binds: { readonly input: readonly BindEntry[]; readonly output: readonly BindEntry[] };
}

/** A bind; one whose parts cannot be read has only its predicate and its text. */
export interface BindEntry {
    readonly predicate: string;
    /** The whole annotation, with a final dot. */
    readonly annotation: string;
    readonly kind?: 'bind' | 'qbind';
    /** Lower-case, aliases resolved. */
    readonly source_type?: string;
    readonly options?: Readonly<Record<string, string>>;
    readonly container?: string;
    /** Of a `@bind`. */
    readonly target?: string;
    /** Of a `@qbind`. */
    readonly query?: string;
}

/**
 * Takes the binds of a program apart. A bind is an output where its predicate has an `@output` or is `outputPredicate`, and a rule
 * or a fact fills it.
 * A program with syntax errors has its problems instead.
 */
export function parseBinds(text: string, outputPredicate?: string): Tool<ParsedBinds> {
    const { value: program, problems } = readProgram(text, '');
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) return { ok: false, problems: errors };
    const annotations = placedAnnotations(program);
    const outputs = predicatesWritten(program, outputPredicate);
    const read = new Map(readBinds(annotations, outputs).map(({ bind }) => [bind.annotation, bind]));
    const input: BindEntry[] = [];
    const output: BindEntry[] = [];
    for (const { annotation, place } of annotations) {
        if (annotation.name !== 'bind' && annotation.name !== 'qbind') continue;
        const written = `${text.slice(place.offset + annotation.span.start, place.offset + annotation.span.end)}.`;
        const predicate = textOf(annotation.arguments[0]) ?? '';
        const bind = read.get(annotation);
        const isWhole = bind !== undefined && annotation.arguments.length === 4 && annotation.arguments.every(one => one.kind === 'string');
        const parts = isWhole && {
            kind: bind.kind,
            source_type: bind.type,
            options: Object.fromEntries(bind.options),
            container: bind.outer,
            ...(bind.kind === 'bind' ? { target: bind.inner } : { query: bind.inner }),
        };
        (outputs.has(predicate) ? output : input).push({ predicate, annotation: written, ...parts });
    }
    const removed = program.clauses.flatMap(({ kind, place, span, annotations: own }) => {
        const spans = kind === 'annotation' ? [span] : own.map(annotation => annotation.span);
        return spans.map(({ start, end }) => ({ start: place.offset + start, end: place.offset + end }));
    });
    return { ok: true, value: { code: without(text, removed), binds: { input, output } } };
}

/**
 * Returns a key of a bind's source that does not depend on the predicate: equal for binds that read the same rows. If the bind cannot be
 * taken apart, its own text is the key.
 */
export function sourceKey({ kind, source_type: type, options, container, target, query, annotation }: BindEntry): string {
    return type === undefined ? annotation : JSON.stringify([kind, type, Object.entries(options ?? {}).sort(), container, target, query]);
}

/** Blanks at the ends of a line at most. */
const LINE = 1000;

/** The text without some of its parts, and without the lines that only held them. */
function without(text: string, parts: readonly { readonly start: number; readonly end: number }[]): string {
    let kept = '';
    let from = 0;
    for (const { start, end } of parts) {
        kept += text.slice(from, start);
        from = end;
        // Nothing of its line came before: the blanks behind it go, and the end of the line where nothing else follows.
        if (/(?:^|[\r\n])[ \t]*$/u.test(kept.slice(-LINE)))
            from += /^[ \t]*(?:\r\n|\r|\n)?/u.exec(text.slice(end, end + LINE))?.[0].length ?? 0;
    }
    return `${kept}${text.slice(from)}`
        .replaceAll(/^[ \t]+$/gmu, '')
        .replaceAll(/(\r\n|\r|\n)(?:\1){2,}/gu, '$1$1')
        .trim();
}
