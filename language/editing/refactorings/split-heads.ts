import type { AnalysedRule } from '#language/program/analysed-program.ts';
import type { Atom } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { insertion } from '../quick-fixes/fix.ts';
import { behindClause, inClause, lineBreakOf, type Refactoring, type RefactoringRequest } from './refactoring.ts';
import { contributes, createsNulls, dependsOnCutting, hasComment, isPlain, termVariables } from './rule-parts.ts';

/** A rule with several head atoms becomes one for each. */
export function* splitHeads(request: RefactoringRequest): Iterable<Refactoring> {
    const { rule, text, tokens, document, selection } = request;
    if (rule === undefined || rule.rule.head.kind !== 'atoms' || !isPlain(rule.rule) || contributes(request.programs, rule)) return;
    const { atoms } = rule.rule.head;
    const [first, last] = [atoms[0], atoms.at(-1)];
    const arrow = tokens.find(({ kind }) => kind === 'arrow');
    if (first === undefined || last === undefined || first === last || arrow === undefined || selection.start > arrow.end) return;
    if (createsNulls(rule) && (dependsOnCutting(request.programs) || !keepsNulls(atoms, rule))) return;
    if (hasComment(text.slice(first.span.end, last.span.end))) return;
    const body = text.slice(arrow.start);
    const others = atoms.slice(1).map(({ span }) => `${lineBreakOf(document.text)}${text.slice(span.start, span.end)} ${body}`);
    yield inClause(
        request,
        { kind: 'rewrite', title: say`Split into ${atoms.length} rules, one for each head` },
        { start: first.span.end, end: last.span.end, text: '' },
        insertion(behindClause(request), others.join('')),
    );
}

/**
 * A null belongs to its rule and the bound variables of the whole head (D-27): a head with nulls has to have them all, and
 * its nulls for itself.
 */
function keepsNulls(atoms: readonly Atom[], { bound, existential }: AnalysedRule): boolean {
    const frontier = atoms.flatMap(termVariables).filter(name => bound.has(name));
    return atoms.every(atom => {
        const own = new Set(termVariables(atom));
        const created = existential.filter(name => own.has(name));
        if (created.length === 0 && !atom.arguments.some(({ kind }) => kind === 'anonymous')) return true;
        const shared = atoms.some(other => other !== atom && termVariables(other).some(name => created.includes(name)));
        return !shared && frontier.every(name => own.has(name));
    });
}
