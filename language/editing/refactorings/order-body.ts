import { say } from '#language/program/say.ts';
import { replacement } from '../quick-fixes/fix.ts';
import { inClause, type Refactoring, type RefactoringRequest } from './refactoring.ts';
import { type BodyItem, bodyItems } from './rule-parts.ts';

/** Items of a body stand behind those that bind their variables, and otherwise in the order in which they are written. */
export function* orderBody(request: RefactoringRequest): Iterable<Refactoring> {
    const { rule, tokens, text } = request;
    const items = rule && bodyItems(rule, tokens);
    if (rule === undefined || items === undefined) return;
    const equated = items.flatMap(({ equates }) => equates ?? []);
    if (new Set(equated).size !== equated.length) return;
    const ordered = inOrder(items, rule.bound);
    const edits = items.flatMap((item, index) => {
        const other = ordered[index];
        return other === undefined || other === item ? [] : [replacement(item.span, text.slice(other.span.start, other.span.end))];
    });
    if (edits.length > 0) yield inClause(request, { kind: 'rewrite', title: say`Order the body by what its items need` }, ...edits);
}

/** The first item whose variables are bound comes next. What can never be bound does not wait. */
function inOrder(items: readonly BodyItem[], bindable: ReadonlySet<string>): readonly BodyItem[] {
    const waiting = [...items];
    const ordered: BodyItem[] = [];
    const bound = new Set<string>();
    while (waiting.length > 0) {
        const ready = waiting.findIndex(({ needs }) => [...needs].every(name => bound.has(name) || !bindable.has(name)));
        const [next] = waiting.splice(Math.max(ready, 0), 1);
        if (next === undefined) break;
        ordered.push(next);
        for (const name of next.binds) bound.add(name);
        if (next.equates !== undefined) bound.add(next.equates);
    }
    return ordered;
}
