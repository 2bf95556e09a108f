import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { printRuleText } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { clauseRemoval, inDocument, insertion } from '../quick-fixes/fix.ts';
import { inFile, type Refactoring, type RefactoringRequest } from './refactoring.ts';
import { contributes, createsNulls, hasComment, isPlain } from './rule-parts.ts';

/** Other rules with the same body give their heads to this one. Nulls and contributions belong to their rules. */
export function* mergeRules({ document, clause, rule, selection, programs }: RefactoringRequest): Iterable<Refactoring> {
    const { analysed } = document;
    const isMergeable = (other: AnalysedRule): boolean =>
        other.rule.head.kind === 'atoms' && isPlain(other.rule) && !createsNulls(other) && !contributes(programs, other);
    if (rule === undefined || rule.rule.head.kind !== 'atoms' || !isMergeable(rule) || selection.start > rule.rule.head.span.end) return;
    const body = bodyText(rule);
    const merged = analysed.rules.filter(
        other => other !== rule && other.rule.place.file === document.file && bodyText(other) === body && isMergeable(other),
    );
    const last = rule.rule.head.atoms.at(-1);
    const carries = ({ rule: { annotations, documentation } }: AnalysedRule): boolean =>
        annotations.length > 0 || documentation !== undefined;
    const said = merged.some(other => carries(other) || hasComment(clauseText(document, other.rule)));
    if (merged.length === 0 || said || last === undefined) return;
    const heads = merged.map(({ rule: other }) => clauseText(document, other).slice(other.head.span.start, other.head.span.end));
    const title = merged.length === 1 ? say`Merge with the rule of the same body` : say`Merge with ${merged.length} rules of the same body`;
    yield inFile(document, { kind: 'rewrite', title }, [
        inDocument(clause, insertion(last.span.end, heads.map(text => `, ${text}`).join(''))),
        ...merged.map(other => clauseRemoval(document, other.rule)),
    ]);
}

function bodyText({ rule }: AnalysedRule): string {
    return printRuleText({ ...rule, head: { kind: 'falsity', span: rule.head.span } });
}
