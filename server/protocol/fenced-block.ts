const FENCE = /^\s*(?:```|~~~)/u;
/** A block of one of these languages is what was asked for, whatever stands before it. */
const NAMED_FENCE = /^\s*(?:```|~~~)\s*(?:rulelang|datalog|prolog|json)\b/iu;
/** Thoughts of a model before its answer. Some models give their end alone. */
const THOUGHTS = /^[\s\S]*<\/think(?:ing)?>/iu;
/** A paragraph begins like a sentence. */
const SENTENCE = /^[\p{Lu}][\p{L}'’]*(?:,|:|\s+[\p{L}`'"])/u;

/**
 * Returns the program in a model's answer: the first fenced block of a language of rules, the first fenced block, which may lack its end, or
 * all of it but for sentences before and behind. What the model has thought before it answers is left out.
 */
export function fencedBlock(answer: string): string {
    const lines = answer.replace(THOUGHTS, '').split('\n');
    const named = lines.findIndex(line => NAMED_FENCE.test(line));
    const start = named === -1 ? lines.findIndex(line => FENCE.test(line)) : named;
    if (start === -1) return withoutSentences(lines.join('\n'));
    const fence = lines[start]?.trim().slice(0, 3) ?? '';
    const end = lines.findIndex((line, i) => i > start && line.trim().startsWith(fence));
    return lines
        .slice(start + 1, end === -1 ? undefined : end)
        .join('\n')
        .trim();
}

/** Returns the JSON object in a model's answer, without words before and behind it. */
export function fencedObject(answer: string): string {
    const block = fencedBlock(answer);
    const start = block.indexOf('{');
    const end = block.lastIndexOf('}');
    return start === -1 || end < start ? block : block.slice(start, end + 1);
}

function withoutSentences(text: string): string {
    const paragraphs = text.trim().split(/\n\s*\n/u);
    const isProse = (paragraph: string): boolean => SENTENCE.test(paragraph.trim()) && !/<-|:-/u.test(paragraph);
    const first = paragraphs.findIndex(paragraph => !isProse(paragraph));
    if (first === -1) return text.trim();
    return paragraphs
        .slice(first, paragraphs.findLastIndex(paragraph => !isProse(paragraph)) + 1)
        .join('\n\n')
        .trim();
}
