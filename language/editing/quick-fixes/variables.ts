import { lastClauseStartingAt } from '#language/document/open-document.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { say } from '#language/program/say.ts';
import { clauseMentions } from '#language/symbols/clause-mentions.ts';
import { itemAround } from './clause-parts.ts';
import { extractTerm } from './conditions.ts';
import {
    type Fix,
    type FixFunction,
    type FixRequest,
    insertion,
    meantName,
    otherFix,
    preferredFix,
    replaceMarked,
    replacement,
    writtenText,
} from './fix.ts';
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
    const { marked, document, clause } = request;
    const word = writtenText(request);
    if (word !== undefined) {
        yield preferredFix(request, say`Write '${word}'`, replacement(request.problem.span, word));
        return;
    }
    const { clauses } = document.analysed.program;
    const before = clauses[lastClauseStartingAt(clauses, clause.place.offset) - 1];
    const dot = before === undefined ? 0 : before.place.offset + before.span.end - 1;
    const beside = /^\.[ \t]*$/u.test(document.text.slice(dot, clause.place.offset));
    if (before?.kind === 'rule' && beside && new RegExp(`\\b${marked}\\b`, 'u').test(document.text.slice(before.place.offset, dot)))
        yield { title: say`Join it to the rule before`, edits: [{ start: dot, end: dot + 1, text: ',' }], preferred: true };
    else yield* quoteAll(request);
}

function* quoteAll(request: FixRequest): Iterable<Fix> {
    const { marked } = request;
    const places = clauseMentions(request.text).filter(mention => mention.kind === 'variable' && mention.name === marked);
    const edits = places.map(({ span }) => replacement(span, `"${marked}"`));
    if (edits.length > 0) yield preferredFix(request, say`Write "${marked}"`, ...edits);
}

/** RL9001 */
export function* prefixUnderscore(request: FixRequest): Iterable<Fix> {
    const word = writtenText(request);
    if (word !== undefined) yield otherFix(request, say`Write '${word}'`, replacement(request.problem.span, word));
    const renamed = freshVariable(request.text, `_${request.marked}`);
    yield {
        ...preferredFix(request, say`Rename to '${renamed}'`, replacement(request.problem.span, renamed)),
        preferred: word === undefined,
    };
    yield otherFix(request, say`Replace with '_'`, replacement(request.problem.span, '_'));
}

/** RL9004: a variable that joins, where the clause has none of its name. */
export function* removeUnderscore(request: FixRequest): Iterable<Fix> {
    const { text, marked } = request;
    const name = marked.replace(/^_+/, '');
    const mentions = clauseMentions(text);
    if (!/^[A-Z]\w*$/.test(name) || mentions.some(mention => mention.kind === 'variable' && mention.name === name)) return;
    const places = mentions.filter(mention => mention.kind === 'anonymous' && mention.name === marked);
    yield preferredFix(request, say`Rename to '${name}'`, ...places.map(({ span }) => replacement(span, name)));
}

/** RL1107: a list is taken apart, a name with a hyphen written as one word, any other value compared. */
export function* compareTerm(request: FixRequest): Iterable<Fix> {
    const { tokens, marked, problem, text } = request;
    const joined = writtenText(request);
    if (joined !== undefined) {
        const places = [...text.matchAll(new RegExp(`(?<!\\w)${marked}(?!\\w)`, 'gu'))].map(({ index }) => index);
        const edits = places.map(start => ({ start, end: start + marked.length, text: joined }));
        yield preferredFix(request, say`Rename to '${joined}'`, ...edits);
        return;
    }
    const compared = /^([A-Z]\w*)\s*(?:[<>]=?|[!=]=|<>)/u.exec(marked)?.[1];
    if (compared !== undefined) {
        const item = itemAround(tokens, problem.span.start);
        const edits = [replacement(problem.span, compared), insertion(item.end, `, ${marked}`)];
        yield preferredFix(request, say`Make it an item of its own`, ...edits);
        return;
    }
    if (marked.startsWith('[')) {
        const list = freshVariable(text, 'List');
        const parts = partsOfList(marked, list);
        if (parts.length === 0) return;
        const item = itemAround(tokens, problem.span.start);
        const edits = [replacement(problem.span, list), insertion(item.end, `, ${parts.join(', ')}`)];
        yield preferredFix(request, say`Take the list apart`, ...edits);
        return;
    }
    yield* extractTerm(request, freshVariable(request.text, 'Value'));
}

/** The items that give the parts of `[A, B]` or `[Head | Tail]` their values. */
function partsOfList(pattern: string, list: string): readonly string[] {
    const [front = '', tail, ...more] = pattern.slice(1, -1).split('|');
    const elements = front.split(',').map(element => element.trim());
    if (more.length > 0 || elements.some(element => !/^(?:\w+|"[^"]*")$/u.test(element))) return [];
    const parts = elements.flatMap((element, index) => part(element, `collections:get(${list}, ${index + 1})`));
    if (tail === undefined) return [...parts, `collections:size(${list}) == ${elements.length}`];
    const rest = `collections:slice(${list}, ${elements.length + 1}, collections:size(${list}))`;
    return [...parts, ...part(tail.trim(), rest)];
}

function part(element: string, value: string): readonly string[] {
    if (element.startsWith('_')) return [];
    return [`${element} ${/^[A-Z]/u.test(element) ? '=' : '=='} ${value}`];
}

/** RL2012, RL5012: the term is assigned to a variable of its own first. */
export function assigning(name: string): FixFunction {
    return function* (request) {
        const { text, tokens, problem, marked } = request;
        const item = itemAround(tokens, problem.span.start);
        if (!tokens.some(({ kind, end }) => kind === 'arrow' && end <= item.start)) return;
        const variable = freshVariable(text, name);
        const edits = [insertion(item.start, `${variable} = ${marked}, `), replacement(problem.span, variable)];
        yield preferredFix(request, say`Assign it to '${variable}'`, ...edits);
    };
}

/** RL2004: a positive atom like one of the rule binds the variable. */
export function* bindByAtom(request: FixRequest): Iterable<Fix> {
    const { clause, marked, tokens, problem } = request;
    if (clause.kind !== 'rule' || clause.body.kind !== 'items') return;
    const atoms = clause.body.items.flatMap(item => (item.kind === 'atom' && !item.negated ? [item.atom] : []));
    const item = itemAround(tokens, problem.span.start);
    const written = new Set(
        atoms.map(({ predicate, arguments: terms }) => `${predicate}(${[marked, ...terms.slice(1).map(() => '_')].join(', ')})`),
    );
    const heads = clause.head.kind === 'atoms' ? clause.head.atoms.map(({ predicate }) => predicate) : [];
    const known = new Set([...heads, ...clause.body.items.flatMap(part => (part.kind === 'atom' ? [part.atom.predicate] : []))]);
    const { analysed } = request.document;
    for (const { name } of written.size > 0 ? [] : analysed.predicateNames()) {
        const [predicate, ...others] = analysed.predicatesNamed(name);
        if (predicate === undefined || others.length > 0 || known.has(name) || predicate.arity === 0) continue;
        if (predicate.rules.length + predicate.facts.length > 0)
            written.add(`${name}(${[marked, ...Array.from({ length: predicate.arity - 1 }, () => '_')].join(', ')})`);
        if (written.size >= MOST_OFFERS) break;
    }
    for (const atom of written) yield otherFix(request, say`Bind '${marked}' with '${atom}'`, insertion(item.start, `${atom}, `));
}

const MOST_OFFERS = 5;
