import { nearestName } from '#language/library/nearest-name.ts';
import { clauseMentions } from '#language/symbols/clause-mentions.ts';
import { itemAround } from './clause-parts.ts';
import { extractTerm } from './conditions.ts';
import { type Fix, type FixRequest, insertion, meantName, otherFix, preferredFix, replaceMarked, replacement } from './fix.ts';
import { freshVariable } from './fresh-variable.ts';

/** RL2001: the body's variable with the nearest name. */
export function* writeNearestVariable(request: FixRequest): Iterable<Fix> {
    const { text, marked } = request;
    const candidates = clauseMentions(text).flatMap(mention => {
        return mention.kind === 'variable' && (mention.role === 'body' || mention.role === 'assigned') ? [mention.name] : [];
    });
    const meant = meantName(request) ?? nearestName(marked, new Set(candidates));
    if (meant !== undefined) yield* replaceMarked(request, meant);
}

/** RL2003 */
export function* quoteVariable(request: FixRequest): Iterable<Fix> {
    const { marked } = request;
    const places = clauseMentions(request.text).filter(mention => mention.kind === 'variable' && mention.name === marked);
    const edits = places.map(({ span }) => replacement(span, `"${marked}"`));
    if (edits.length > 0) yield preferredFix(request, `Write "${marked}"`, ...edits);
}

/** RL9001 */
export function* prefixUnderscore(request: FixRequest): Iterable<Fix> {
    yield preferredFix(request, `Rename to '_${request.marked}'`, insertion(request.problem.span.start, '_'));
    yield otherFix(request, "Replace with '_'", replacement(request.problem.span, '_'));
}

/** RL9004: a variable that joins, where the clause has none of its name. */
export function* removeUnderscore(request: FixRequest): Iterable<Fix> {
    const { text, marked } = request;
    const name = marked.replace(/^_+/, '');
    const mentions = clauseMentions(text);
    if (!/^[A-Z]\w*$/.test(name) || mentions.some(mention => mention.kind === 'variable' && mention.name === name)) return;
    const places = mentions.filter(mention => mention.kind === 'anonymous' && mention.name === marked);
    yield preferredFix(request, `Rename to '${name}'`, ...places.map(({ span }) => replacement(span, name)));
}

/** RL1107 */
export function* compareTerm(request: FixRequest): Iterable<Fix> {
    yield* extractTerm(request, freshVariable(request.text, 'Value'));
}

/** RL2012: the term is assigned to a variable of its own first. */
export function* assignTerm(request: FixRequest): Iterable<Fix> {
    const { text, tokens, problem, marked } = request;
    const item = itemAround(tokens, problem.span.start);
    if (!tokens.some(({ kind, end }) => kind === 'arrow' && end <= item.start)) return;
    const variable = freshVariable(text, 'New');
    const edits = [insertion(item.start, `${variable} = ${marked}, `), replacement(problem.span, variable)];
    yield preferredFix(request, `Assign it to '${variable}'`, ...edits);
}
