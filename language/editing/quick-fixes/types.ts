import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { argumentCount } from '#language/library/function-entry.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { itemAround, openingAfter, operandsBeside, splitAt, termsInside } from './clause-parts.ts';
import { type Fix, type FixRequest, insertion, meantName, otherFix, preferredFix, replaceMarked, replacement, writtenText } from './fix.ts';
import { freshVariable } from './fresh-variable.ts';

/** RL4003, RL4015, RL5003: the cast that the remedy names, around what is marked. */
export function* castMarked(request: FixRequest): Iterable<Fix> {
    const { suggestion } = request.problem;
    if (suggestion?.kind !== 'cast') return;
    const cast = suggestion.to;
    const date = /^"(\d{4}-\d{2}-\d{2})"$/u.exec(request.marked)?.[1];
    if (date !== undefined && cast === 'as_date') yield preferredFix(request, say`Write a date`, replacement(request.problem.span, date));
    yield otherFix(request, say`Write '${cast}(…)'`, replacement(request.problem.span, `${cast}(${request.marked})`));
}

/** RL4005: the value in braces, or a comparison. */
export function* writeSetOrComparison(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, marked } = request;
    yield otherFix(request, say`Write '{${marked}}'`, replacement(problem.span, `{${marked}}`));
    const operator = tokens.findLast(({ end }) => end <= problem.span.start);
    if (operator?.text === 'in') yield otherFix(request, say`Replace 'in' with '=='`, replacement(operator, '=='));
}

/** RL4001: a text as a number, a collection on the left side, or `+` for what joins texts. */
export function* mendOperands(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, text, marked } = request;
    const { suggestion } = problem;
    if (suggestion?.kind === 'write') {
        const { text: written } = suggestion;
        const item = itemAround(tokens, problem.span.start);
        const signs = item.tokens.filter(token => token.kind === 'operator' && token.text === marked);
        yield preferredFix(request, say`Replace with '${written}'`, ...signs.map(sign => replacement(sign, written)));
        return;
    }
    const [left, right] = operandsBeside(tokens, problem.span.start);
    if (left === undefined || right === undefined) return;
    const [first, second] = [text.slice(left.start, left.end), text.slice(right.start, right.end)];
    if (suggestion?.kind === 'swap') {
        yield preferredFix(request, say`Swap the sides`, replacement(left, second), replacement(right, first));
        return;
    }
    if (suggestion?.kind !== 'cast') return;
    const [, [a, b]] = argumentsOf(problem, 'RL4001');
    const edits = [[left, first, a] as const, [right, second, b] as const].flatMap(([span, written, type]) =>
        type === 'string' ? [replacement(span, asNumber(written))] : [],
    );
    if (edits.length > 0) yield preferredFix(request, say`Read the text as a number`, ...edits);
}

function asNumber(written: string): string {
    return /^"(-?\d+(?:\.\d+)?)"$/u.exec(written)?.[1] ?? `as_double(${written})`;
}

/** RL4022: the term under another name, whose value is cast to the type of the first occurrence. */
export function* castJoin(request: FixRequest): Iterable<Fix> {
    const { problem, tokens, text, marked } = request;
    const [, wanted, given] = argumentsOf(problem, 'RL4022');
    const other = freshVariable(text, `${marked}Other`);
    const item = itemAround(tokens, problem.span.start);
    if (text.slice(item.tokens[0]?.start, item.tokens[0]?.end) === 'not') {
        // What is absent has to be known before.
        const known = given === 'string' ? 'as_string' : wanted === 'string' ? CASTS.get(given) : undefined;
        if (known === undefined) return;
        const computed = insertion(item.start, `${other} = ${known}(${marked}), `);
        yield otherFix(request, say`Compare with '${known}(…)'`, computed, replacement(problem.span, other));
        return;
    }
    const cast = given === 'string' ? CASTS.get(wanted) : wanted === 'string' ? 'as_string' : undefined;
    if (cast === undefined) return;
    yield otherFix(
        request,
        say`Compare with '${cast}(…)'`,
        replacement(problem.span, other),
        insertion(item.end, `, ${marked} == ${cast}(${other})`),
    );
}

const NUMBERS: ReadonlySet<unknown> = new Set(['int', 'long', 'double', 'float']);

const CASTS: ReadonlyMap<string, string> = new Map([
    ['int', 'as_int'],
    ['long', 'as_long'],
    ['double', 'as_double'],
    ['float', 'as_double'],
    ['boolean', 'as_boolean'],
    ['date', 'as_date'],
    ['timestamp', 'as_timestamp'],
]);

/** RL4002: the constant as a value of the class that the other side has. */
export function* castConstant(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, text } = request;
    const item = itemAround(tokens, problem.span.start);
    const inside = item.tokens.filter(({ start, end }) => start >= problem.span.start && end <= problem.span.end);
    for (const side of splitAt(inside, ({ kind }) => kind === 'operator')) {
        const number = /^"(-?\d+(?:\.\d+)?)"$/u.exec(text.slice(side.start, side.end))?.[1];
        if (number !== undefined && argumentsOf(problem, 'RL4002').some(type => NUMBERS.has(type))) {
            yield preferredFix(request, say`Write ${number}`, replacement(side, number));
            return;
        }
    }
    if (problem.suggestion?.kind !== 'cast') return;
    const sides = splitAt(inside, ({ kind }) => kind === 'operator');
    const variable = sides.find(({ start, end }) => /^[A-Z]\w*$/u.test(text.slice(start, end)));
    const number = sides.find(({ start, end }) => /^-?\d/u.test(text.slice(start, end)));
    if (variable === undefined || number === undefined || sides.length !== 2) return;
    const name = text.slice(variable.start, variable.end);
    yield preferredFix(request, say`Write 'as_double(${name})'`, replacement(variable, `as_double(${name})`));
}

/** RL5004, RL5009, RL6120, RL8010: what was probably meant, in quotes. */
export function* writeMeantText(request: FixRequest): Iterable<Fix> {
    const meant = meantName(request);
    if (meant !== undefined) yield* replaceMarked(request, `"${meant}"`);
}

/** RL5002: the arguments that are too many go. */
export function* removeArguments(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, document } = request;
    const entry = functionNamed(argumentsOf(problem, 'RL5002')[0], document.analysed.libraryPrefixes);
    const open = openingAfter(tokens, problem.span.start);
    const spans = (open === undefined ? undefined : termsInside(tokens, open))?.spans ?? [];
    const [kept, last] = [entry && spans[argumentCount(entry).most - 1], spans.at(-1)];
    if (kept === undefined || last === undefined || kept === last) return;
    yield otherFix(request, say`Remove what is too much`, { start: kept.end, end: last.end, text: '' });
}

/** RL6004: the same for an annotation. */
export function* removeAnnotationArguments(request: FixRequest): Iterable<Fix> {
    const { clause, problem } = request;
    const bind = writtenText(request);
    const whole = clause.annotations.find(({ nameSpan }) => nameSpan.start === problem.span.start);
    if (bind !== undefined && whole !== undefined) {
        yield preferredFix(request, say`Write '${bind}'`, replacement(whole.span, bind));
        return;
    }
    const spans = whole?.arguments.map(({ span }) => span) ?? [];
    const most = whole && ANNOTATIONS.get(whole.name)?.parameters.length;
    const [kept, last] = [spans[(most ?? 0) - 1], spans.at(-1)];
    if (kept === undefined || last === undefined || kept === last) return;
    yield otherFix(request, say`Remove what is too much`, { start: kept.end, end: last.end, text: '' });
}

/** RL5007: a name instead of a value. */
export function* quoteFieldName(request: FixRequest): Iterable<Fix> {
    const { marked } = request;
    if (/^[A-Z]\w*$/u.test(marked))
        yield preferredFix(request, say`Write "${marked.toLowerCase()}"`, replacement(request.problem.span, `"${marked.toLowerCase()}"`));
}

/** RL5008: the field with its value goes. */
export function* removeField(request: FixRequest): Iterable<Fix> {
    const { tokens, problem } = request;
    const at = tokens.findIndex(({ start }) => start === problem.span.start);
    const open = tokens.findLastIndex(({ text }, i) => i < at && text === '(');
    const spans = termsInside(tokens, open)?.spans ?? [];
    const field = spans.findIndex(({ start }) => start === problem.span.start);
    const before = spans[field - 1];
    const last = spans[field + 1] ?? spans[field];
    if (before !== undefined && last !== undefined)
        yield otherFix(request, say`Remove the field`, { start: before.end, end: last.end, text: '' });
}

/** RL5013: the arrow of lambdas. */
export function* writeLambdaArrow(request: FixRequest): Iterable<Fix> {
    const { marked, problem } = request;
    if (marked.includes('=>'))
        yield preferredFix(request, say`Replace '=>' with '->'`, replacement(problem.span, marked.replace('=>', '->')));
}

/** RL5014, RL5016: the word in the text that was meant otherwise. */
export function* writeMeantWord(request: FixRequest): Iterable<Fix> {
    const { marked, problem } = request;
    const meant = meantName(request);
    const [unknown] = argumentsOf(problem, problem.code === 'RL5016' ? 'RL5016' : 'RL5014');
    if (meant === undefined) return;
    const word = problem.code === 'RL5016' ? unknown : `\\b${unknown}\\b`;
    yield preferredFix(request, say`Replace with '${meant}'`, replacement(problem.span, marked.replace(new RegExp(word, 'gu'), meant)));
}

/** RL8004: the default as a number, or as text. */
export function* changeDefault(request: FixRequest): Iterable<Fix> {
    const { document, problem } = request;
    const [name, , wanted] = argumentsOf(problem, 'RL8004');
    for (const clause of document.analysed.program.clauses) {
        for (const {
            name: annotation,
            arguments: [first, value],
        } of clause.annotations) {
            if (annotation !== 'param' || first?.kind !== 'string' || first.value !== name || value === undefined) continue;
            const at = { start: clause.place.offset + value.span.start, end: clause.place.offset + value.span.end };
            const written = document.text.slice(at.start, at.end);
            const number = /^"(-?\d+(?:\.\d+)?)"$/u.exec(written)?.[1];
            const text = wanted === 'string' ? `"${written}"` : number;
            if (text === undefined || (wanted === 'string') === written.startsWith('"')) return;
            yield { title: say`Change the default to ${text}`, edits: [{ ...at, text }], preferred: true };
            return;
        }
    }
}
