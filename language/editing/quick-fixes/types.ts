import { itemAround, splitAt } from './clause-parts.ts';
import { type Fix, type FixRequest, meantName, otherFix, preferredFix, replaceMarked, replacement } from './fix.ts';

/** RL4003, RL4015, RL5003: the cast that the remedy names, around what is marked. */
export function* castMarked(request: FixRequest): Iterable<Fix> {
    const cast = /\b(as_\w+)\(…\)/u.exec(request.problem.remedy ?? '')?.[1];
    if (cast === undefined) return;
    const date = /^"(\d{4}-\d{2}-\d{2})"$/u.exec(request.marked)?.[1];
    if (date !== undefined && cast === 'as_date') yield preferredFix(request, 'Write a date', replacement(request.problem.span, date));
    yield otherFix(request, `Write '${cast}(…)'`, replacement(request.problem.span, `${cast}(${request.marked})`));
}

/** RL4005: the value in braces, or a comparison. */
export function* writeSetOrComparison(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, marked } = request;
    yield otherFix(request, `Write '{${marked}}'`, replacement(problem.span, `{${marked}}`));
    const operator = tokens.findLast(({ end }) => end <= problem.span.start);
    if (operator?.text === 'in') yield otherFix(request, "Replace 'in' with '=='", replacement(operator, '=='));
}

/** RL4002: the constant as a value of the class that the other side has. */
export function* castConstant(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, text } = request;
    const item = itemAround(tokens, problem.span.start);
    const inside = item.tokens.filter(({ start, end }) => start >= problem.span.start && end <= problem.span.end);
    for (const side of splitAt(inside, ({ kind }) => kind === 'operator')) {
        const number = /^"(-?\d+(?:\.\d+)?)"$/u.exec(text.slice(side.start, side.end))?.[1];
        if (number !== undefined && /\b(int|long|double|float)\b/u.test(problem.message)) {
            yield preferredFix(request, `Write ${number}`, replacement(side, number));
        }
    }
}

/** RL5004, RL5009: what was probably meant, in quotes. */
export function* writeMeantText(request: FixRequest): Iterable<Fix> {
    const meant = meantName(request);
    if (meant !== undefined) yield* replaceMarked(request, `"${meant}"`);
}

/** RL5011 */
export function* writeOne(request: FixRequest): Iterable<Fix> {
    yield* replaceMarked(request, '1');
}
