import type { OpenDocument } from '#language/document/open-document.ts';
import type { AnalysedProgram, AnalysedRule, RuleWardedness } from '#language/program/analysed-program.ts';
import type { Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { inlineCode } from './markdown.ts';

/** Describes the effect of created nulls in a rule (4.7), as Markdown; undefined in a program whose rules create none. */
export function ruleWardNote(document: OpenDocument, clause: Clause, rule: AnalysedRule): string | undefined {
    const wardedness = wardednessIn(document.analysed, rule);
    if (wardedness === undefined) return undefined;
    const { harmful, dangerous, warded, ward } = wardedness;
    if (harmful.size === 0) return say`Warded: no variable holds an unknown value that rules create.`;
    if (dangerous.size === 0) return say`Warded: the unknown values in ${listed(harmful)} do not reach the head.`;
    const guard = wardText(document, clause, rule, ward);
    if (warded && guard !== undefined) return say`Warded: ${guard} is the ward, which holds the dangerous ${listed(dangerous)}.`;
    return say`Not warded: no atom of its own holds the dangerous ${listed(dangerous)}.`;
}

/** Describes the effect of created nulls on a variable that the body binds; undefined in a program whose rules create none. */
export function variableWardNote(document: OpenDocument, clause: Clause, rule: AnalysedRule, name: string): string | undefined {
    const wardedness = rule.bound.has(name) ? wardednessIn(document.analysed, rule) : undefined;
    if (wardedness === undefined) return undefined;
    const { harmful, dangerous, ward } = wardedness;
    if (dangerous.has(name)) {
        const guard = wardText(document, clause, rule, ward);
        const consequence = guard === undefined ? say`No atom guards it: the rule is not warded.` : say`Its ward is ${guard}.`;
        return say`Dangerous: an unknown value that rules create may reach the head through it. ${consequence}`;
    }
    if (harmful.has(name)) return say`Harmful: it may hold an unknown value that rules create, which does not reach the head.`;
    return say`Harmless: it never holds an unknown value that rules create.`;
}

function wardednessIn({ chase }: AnalysedProgram, { index }: AnalysedRule): RuleWardedness | undefined {
    return chase.createsNulls ? chase.rules[index] : undefined;
}

function wardText(document: OpenDocument, clause: Clause, { literals }: AnalysedRule, ward: number | undefined): string | undefined {
    const span = ward === undefined ? undefined : literals[ward]?.atom.span;
    return span && inlineCode(clauseText(document, clause).slice(span.start, span.end));
}

function listed(names: ReadonlySet<string>): string {
    return [...names].map(inlineCode).join(', ');
}
