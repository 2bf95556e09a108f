import { say } from '#language/program/say.ts';
import { insertion } from '../quick-fixes/fix.ts';
import { freshPredicate } from './fresh-names.ts';
import { behindClause, inClause, lineBreakOf, type Refactoring, type RefactoringRequest } from './refactoring.ts';
import { type BodyItem, bodyItems, contributes, dependsOnCutting, divides, headVariables, isPlain } from './rule-parts.ts';

/** The selected items of a body become the body of a new predicate, whose columns are the variables that the rest needs. */
export function* extractPredicate(request: RefactoringRequest): Iterable<Refactoring> {
    const { document, rule, tokens, selection, text } = request;
    if (rule === undefined || rule.rule.head.kind === 'equality' || selection.start === selection.end) return;
    if (!isPlain(rule.rule) || contributes(request.programs, rule) || dependsOnCutting(request.programs)) return;
    const items = bodyItems(rule, tokens) ?? [];
    const chosen = items.filter(({ span }) => span.start < selection.end && span.end > selection.start);
    const [first, last] = [chosen[0], chosen.at(-1)];
    if (
        first === undefined ||
        last === undefined ||
        chosen.length < 2 ||
        chosen.some(divides) ||
        selection.start < (items[0]?.span.start ?? 0)
    )
        return;
    const rest = items.filter(item => !chosen.includes(item));
    const outside = new Set([...headVariables(rule.rule), ...rest.flatMap(({ variables }) => [...variables])]);
    const bound = boundBy(chosen);
    if (!isSafe(chosen, rest, outside, bound)) return;
    const columns = [...new Set(chosen.flatMap(({ variables }) => [...variables]))].filter(name => outside.has(name));
    const head = rule.rule.head.kind === 'atoms' ? rule.rule.head.atoms[0]?.predicate : undefined;
    const name = freshPredicate(request, `${head ?? 'constraint'}_part`);
    const atom = `${name}(${columns.join(', ')})`;
    const span = { start: first.span.start, end: last.span.end };
    yield inClause(
        request,
        { kind: 'extract', title: say`Extract to a predicate`, madeUp: name },
        { ...span, text: atom },
        insertion(behindClause(request), `${lineBreakOf(document.text)}${atom} <- ${text.slice(span.start, span.end)}.`),
    );
}

/** The variables that the items bind by themselves. */
function boundBy(items: readonly BodyItem[]): ReadonlySet<string> {
    const bound = new Set(items.flatMap(({ binds }) => [...binds]));
    for (let before = -1; before !== bound.size; ) {
        before = bound.size;
        for (const { equates, needs } of items) if (equates !== undefined && [...needs].every(name => bound.has(name))) bound.add(equates);
    }
    return bound;
}

/** The items bind what they need and what the rest needs of them, and no equation assigns where it compared before. */
function isSafe(chosen: readonly BodyItem[], rest: readonly BodyItem[], outside: ReadonlySet<string>, bound: ReadonlySet<string>): boolean {
    const atoms = new Set(chosen.flatMap(({ binds }) => [...binds]));
    if (atoms.size === 0) return false;
    for (const { item, variables, needs, equates } of chosen) {
        const inside = item.kind === 'atom' && item.negated;
        for (const name of inside ? variables : needs) {
            const own = inside && !outside.has(name) && chosen.every(other => other.item === item || !other.variables.has(name));
            if (!bound.has(name) && !own) return false;
        }
        if (equates === undefined) continue;
        if (!bound.has(equates)) return false;
        const elsewhere = rest.some(other => other.equates === equates || other.binds.has(equates));
        if (elsewhere && !atoms.has(equates)) return false;
    }
    return true;
}
