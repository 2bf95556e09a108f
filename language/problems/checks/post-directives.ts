import { namedAnnotations, spanInText, textOf } from '#language/analysis/annotation-arguments.ts';
import type { ProgramFacts } from '#language/analysis/declarations.ts';
import { isAggregated } from '#language/analysis/one-fact.ts';
import { DIRECTIVE_FORMS } from '#language/analysis/post-text.ts';
import type { Definition, NameFacts, PostFacts } from '#language/analysis/program-facts.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { PostDirective } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Span } from '#language/program/span.ts';
import { problem, withMeant, withWritten } from '../catalogue.ts';

/** Checks `@post`: RL6070 to RL6074, RL9022 for `unique`, RL9027, RL9030 for old words. */
export function* checkPostDirectives(facts: ProgramFacts): Iterable<Problem> {
    const ordered = new Set(facts.posts.filter(({ text }) => text.directive?.kind === 'orderby').map(({ predicate }) => predicate));
    for (const post of facts.posts) yield* checkPost(post, ordered.has(post.predicate), facts);
}

/** Outputs of a module are none of the program, but the module may say what becomes of them where it is run. */
function isOutputOfModule({ place, predicate }: PostFacts, { file, annotations }: ProgramFacts): boolean {
    if (place.file === file) return false;
    return namedAnnotations(annotations, 'output').some(output => output.predicate === predicate && output.place.file === place.file);
}

function* checkPost(post: PostFacts, ordered: boolean, facts: ProgramFacts): Iterable<Problem> {
    const { predicate, place, argument, text } = post;
    const name = facts.nameFacts(predicate);
    if (name?.output === undefined && !isOutputOfModule(post, facts)) yield problem('RL6070', place, argument.span, predicate);
    const { directive, word } = text;
    if (directive === undefined) {
        const span = spanOf(post, word.start, word.end);
        const form = DIRECTIVE_FORMS.get(word.text);
        const meant = meantDirective(textOf(post.annotation.arguments[1])?.trim() ?? '', columnsOf(name));
        const found = form === undefined ? problem('RL6071', place, span, word.text) : problem('RL6122', place, span, word.text, form);
        const nearest = form === undefined ? nearestName(word.text, DIRECTIVE_FORMS.keys()) : undefined;
        yield meant === undefined ? withMeant(found, nearest) : withWritten(found, meant);
        return;
    }
    const arity = name?.arities[0];
    for (const { position, piece } of text.positions) {
        if (arity === undefined || (position >= 1 && position <= arity)) continue;
        yield problem('RL6072', place, spanOf(post, piece.start, piece.end), position, predicate, arity);
    }
    const wordSpan = spanOf(post, word.start, word.end);
    const definition = arity === undefined ? undefined : name?.definitions.get(arity);
    if (definition !== undefined && choosesAmongFinal(directive, definition)) yield problem('RL9027', place, wordSpan);
    if (text.targetInGroups !== undefined) {
        yield problem('RL6074', place, spanOf(post, text.targetInGroups.start, text.targetInGroups.end));
    }
    if (directive.kind === 'limit' && !ordered) yield problem('RL6073', place, wordSpan);
    if (directive.kind === 'unique') yield problem('RL9022', place, wordSpan, 'unique');
    if (word.text === 'mmin' || word.text === 'mmax') yield problem('RL9030', place, wordSpan, word.text, word.text.slice(1));
}

/** Returns the variables in the head of the first rule, as names of the columns. */
function columnsOf(name: NameFacts | undefined): readonly string[] {
    const head = [...(name?.definitions.values() ?? [])].flatMap(({ rules }) => rules[0] ?? [])[0];
    return head?.atom.arguments.map(term => (term.kind === 'variable' ? term.name : '')) ?? [];
}

/** The directive for what SQL says, or for names of columns in the place of their numbers. */
function meantDirective(text: string, columns: readonly string[]): string | undefined {
    const count = /^(?:limit|top|first)\s*(?:\(\s*)?(\d+)\s*\)?$/iu.exec(text)?.[1];
    if (count !== undefined) return `limit(${count})`;
    if (/^(?:sort|order)(?:ed)?$/iu.test(text)) return 'orderby(1)';
    const [, word = '', inside = ''] =
        /^(order\s*by|sort\s*by|sort|order|argmax|argmin|max|min)\b(?:\s*\()?([^()<>]*)\)?$/iu.exec(
            text.replace(/\b(desc\w*|asc\w*)\s+(\w+)$/iu, '$2 $1'),
        ) ?? [];
    const keys = inside.split(',').map(key => {
        const [, minus = '', column = '', order = ''] = /^(-?)\s*(\w+)(?:\s+(asc|desc)\w*)?$/iu.exec(key.trim()) ?? [];
        const position = /^\d+$/u.test(column)
            ? Number(column)
            : columns.findIndex(name => name.toLowerCase() === column.toLowerCase()) + 1;
        return position < 1 ? undefined : `${minus !== '' || /^desc/iu.test(order) ? '-' : ''}${position}`;
    });
    if (word === '' || keys.includes(undefined)) return undefined;
    const choice = /^(?:arg)?(max|min)$/u.exec(word.toLowerCase())?.[1];
    return `${choice ?? 'orderby'}(${keys.join(', ')})`;
}

/** The directive chooses rows by aggregated columns, of which there is one row for each group anyway (5.4). */
function choosesAmongFinal(directive: PostDirective, { facts, rules }: Definition): boolean {
    if (directive.kind !== 'min' && directive.kind !== 'max') return false;
    const { columns } = directive;
    return facts.length === 0 && rules.length > 0 && rules.every(head => columns.every(column => isAggregated(head, column)));
}

function spanOf({ annotation, substituted }: PostFacts, start: number, end: number): Span {
    const argument = annotation.arguments[1];
    if (substituted && argument !== undefined) return argument.span;
    return argument === undefined ? annotation.span : spanInText(argument, start, Math.max(end, start + 1));
}
