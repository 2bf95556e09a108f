import { writtenOptions } from '#language/analysis/relation-calls.ts';
import { resultColumns } from '#language/library/relation-question.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { itemAround, openingAfter, termsInside } from './clause-parts.ts';
import {
    type ClauseEdit,
    type Fix,
    type FixRequest,
    freshName,
    insertion,
    meantName,
    otherFix,
    ownClause,
    preferredFix,
    replacement,
} from './fix.ts';

/** RL7103: the nearest option. */
export function* writeNearestOption(request: FixRequest): Iterable<Fix> {
    const meant = meantName(request);
    const [unknown] = argumentsOf(request.problem, 'RL7103');
    const option = meant === undefined ? undefined : optionsIn(request).find(({ key }) => key === unknown);
    if (meant === undefined || option === undefined) return;
    yield preferredFix(request, say`Replace with '${meant}'`, replacement(option.keySpan, meant));
}

/** RL7104: the option without its repetition. */
export function* removeRepeatedOption(request: FixRequest): Iterable<Fix> {
    const [key] = argumentsOf(request.problem, 'RL7104');
    const option = optionsIn(request).findLast(one => one.key === key);
    if (option !== undefined) yield preferredFix(request, say`Remove the second '${option.key}'`, removal(option));
}

/** RL7106: one of two options that exclude each other. */
export function* removeEitherOption(request: FixRequest): Iterable<Fix> {
    const keys = argumentsOf(request.problem, 'RL7106');
    for (const option of optionsIn(request)) {
        if (keys.includes(option.key)) yield otherFix(request, say`Remove '${option.key}'`, removal(option));
    }
}

/** RL7111: no `all_paths`, which changes nothing. */
export function* removeAllPaths(request: FixRequest): Iterable<Fix> {
    const option = optionsIn(request).find(({ key }) => key === 'all_paths');
    if (option !== undefined) yield preferredFix(request, say`Remove 'all_paths'`, removal(option));
}

/** RL7120: the nearest variable or parameter in the placeholder. */
export function* writeNearestPlaceholder(request: FixRequest): Iterable<Fix> {
    const meant = meantName(request);
    const [unknown] = argumentsOf(request.problem, 'RL7120');
    if (meant === undefined) return;
    const written = `\${${unknown}}`;
    const at = request.marked.indexOf(written);
    if (at < 0) return;
    const start = request.problem.span.start + at;
    yield preferredFix(request, say`Replace with '${meant}'`, replacement({ start, end: start + written.length }, `\${${meant}}`));
}

/** RL7121: no argument that the prompt does not use, nor the comma before it. */
export function* removeArgument(request: FixRequest): Iterable<Fix> {
    const { problem, text } = request;
    const start = /,\s*$/.exec(text.slice(0, problem.span.start))?.index;
    if (start !== undefined) yield preferredFix(request, say`Remove the argument`, replacement({ start, end: problem.span.end }, ''));
}

/** RL7124: the prompts numbered from 1 in their order. */
export function* renumberPrompts(request: FixRequest): Iterable<Fix> {
    const prompts = optionsIn(request).filter(({ key }) => /^prompt_\d+$/u.test(key));
    const ordered = [...prompts].sort((a, b) => Number(a.key.slice(7)) - Number(b.key.slice(7)));
    const edits = ordered.map(({ keySpan }, index) => replacement(keySpan, `prompt_${index + 1}`));
    if (edits.length > 0) yield preferredFix(request, say`Number the prompts from 1`, ...edits);
}

interface WrittenOption {
    readonly key: string;
    readonly keySpan: { readonly start: number; readonly end: number };
    /** With the comma that separates it from its neighbour. */
    readonly span: { readonly start: number; readonly end: number };
}

/** The options in the marked string; none where quotes inside it make their places uncertain. */
function optionsIn({ marked, problem }: FixRequest): WrittenOption[] {
    const content = marked.slice(1, -1);
    if (/['"]/.test(content)) return [];
    const start = problem.span.start + 1;
    const starts = [...content.matchAll(/(?<=^|,)\s*(\w+)\s*=/gu)].map(match => ({
        key: match[1] ?? '',
        at: match.index,
        keyAt: match.index + match[0].indexOf(match[1] ?? ''),
    }));
    return starts.map(({ key, at, keyAt }, i) => {
        const next = starts[i + 1];
        const from = next === undefined && i > 0 ? at - 1 : at;
        const to = i === 0 ? next?.keyAt : next?.at;
        return {
            key,
            keySpan: { start: start + keyAt, end: start + keyAt + key.length },
            span: { start: start + from, end: start + (to ?? content.length) },
        };
    });
}

function removal({ span }: WrittenOption): ClauseEdit {
    return replacement(span, '');
}

/** RL2010: the call gets a predicate of its own, which the rule reads. The clause cannot be read as it is. */
export function* extractCall(request: FixRequest): Iterable<Fix> {
    const { text, tokens, problem, marked } = request;
    const item = itemAround(tokens, problem.span.start);
    const open = openingAfter(tokens, problem.span.start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    const [name, headOpen] = tokens;
    const head = termsInside(tokens, 1);
    const [input, options] = inside?.spans ?? [];
    if (input === undefined || inside === undefined || inside.close.end !== item.end) return;
    if (name?.kind !== 'name' || headOpen?.text !== '(' || head === undefined) return;
    const columns = columnsOfCall(marked.slice(1), text.slice(input.start, input.end), options && text.slice(options.start, options.end));
    if (columns === undefined) return;
    const own = head.spans.map(({ start, end }) => text.slice(start, end)).filter(term => /^[A-Z]\w*$/u.test(term));
    const terms = (new Set(own).size === columns.length ? own : columns).join(', ');
    const helper = freshName(request, `${name.text}_${marked.slice(1).toLowerCase()}`);
    yield preferredFix(
        request,
        say`Move it to a helper predicate '${helper}'`,
        replacement(item, `${helper}(${terms})`),
        ownClause(request, `${helper}(${terms}) <- ${text.slice(item.start, item.end)}.`),
    );
}

/** The names of the columns that a graph function gives; `options` is a text in quotes. */
function columnsOfCall(name: string, input: string, options: string | undefined): readonly string[] | undefined {
    const span = { start: 0, end: 0 };
    const call = { name, input: { kind: 'predicate' as const, text: input, span }, span };
    const option = options === undefined ? {} : { options: { kind: 'string' as const, value: options.slice(1, -1), span } };
    const question = writtenOptions({ ...call, ...option })?.question;
    return question && resultColumns(question);
}

/** RL7109: a helper with the weight 1 for every edge. */
export function* addWeights(request: FixRequest): Iterable<Fix> {
    const { marked, problem } = request;
    const [, needed, , columns] = argumentsOf(problem, 'RL7109');
    if (needed !== 3 || columns !== 2) return;
    const helper = freshName(request, `${marked}_weighted`);
    yield otherFix(
        request,
        say`Add a predicate '${helper}' with the weight 1`,
        replacement(problem.span, helper),
        ownClause(request, `${helper}(X, Y, 1) <- ${marked}(X, Y).`),
    );
}

/** RL7101: the head with the columns of the result. */
export function* writeResultColumns(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, text } = request;
    const [, names] = argumentsOf(problem, 'RL7101');
    const open = openingAfter(tokens, problem.span.start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    if (open === undefined || inside === undefined || !names.every(name => /^[A-Z]/u.test(name))) return;
    const kept = inside.spans.slice(0, names.length).map(({ start, end }) => text.slice(start, end));
    const terms = [...kept, ...names.slice(kept.length).map(name => (kept.includes(name) ? `${name}2` : name))].join(', ');
    const start = tokens[open]?.end ?? 0;
    yield preferredFix(request, say`Write (${terms})`, { start, end: inside.close.start, text: terms });
}

/** RL7107: adds the option with a node that the user has to choose. */
export function* insertOption(request: FixRequest): Iterable<Fix> {
    const { problem, marked } = request;
    const [, option] = argumentsOf(problem, 'RL7107');
    const value = option === 'source' || option === 'target' ? 'start' : '1';
    const written = marked.startsWith('"')
        ? insertion(problem.span.end - 1, `${marked.length > 2 ? ', ' : ''}${option}=${value}`)
        : undefined;
    const edit = written ?? insertion(problem.span.end - 1, `, "${option}=${value}"`);
    yield otherFix(request, say`Insert '${option}=${value}'`, edit);
}
