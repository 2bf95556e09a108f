import { argumentsOf } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { type ClauseEdit, type Fix, type FixRequest, meantName, otherFix, preferredFix, replacement } from './fix.ts';

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
