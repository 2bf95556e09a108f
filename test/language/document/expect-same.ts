import { expect } from 'vitest';
import type { RuleDocument } from '#language/document/rule-document.ts';
import { type OpenDocument, openDocument, rangeOf } from '#language/editing/open-document.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Problem, RelatedPlace } from '#language/program/problem.ts';

/** What a document says, as data that can be compared: everything in the order in which it is given. */
function portrait({ text, analysed, problems }: OpenDocument, whole: boolean): Record<string, string> {
    return {
        clauses: analysed.program.clauses
            .map(clause => `${text.slice(clause.place.offset, clause.place.offset + clause.span.end)} ${written(clause)}`)
            .join('\n'),
        problems: problems.map(printed).join('\n'),
        ...(whole && { analysis: written(meaning(analysed)) }),
    };
}

/** What the analysis found out, with the places in the program as the only identities. */
function meaning(analysed: AnalysedProgram): object {
    const { program: _, problems, rules, predicates, ...rest } = analysed;
    return { ...rest, rules, predicates: [...predicates], problems: problems.map(printed) };
}

function printed(problem: Problem): string {
    const { code, severity, message, remedy = '', related = [], tags = [] } = problem;
    const { start, end } = rangeOf(problem);
    return `${start}-${end} ${code} ${severity} ${message} | ${remedy} | ${tags.join()} | ${related.map(printedRelated).join('; ')}`;
}

function printedRelated(related: RelatedPlace): string {
    const { start, end } = rangeOf(related);
    return `${start}-${end} ${related.message}`;
}

function written(value: unknown): string {
    return JSON.stringify(value, (_key, part: unknown) => {
        if (part instanceof Map) return [...part];
        if (part instanceof Set) return [...part];
        if (typeof part === 'bigint') return `${part}n`;
        return part;
    });
}

/** The document equals one that is read and analysed from its text; `whole` asks also for what problems do not need. */
export function expectSame(document: RuleDocument, note: string, whole = true): void {
    const { current } = document;
    const fresh = openDocument(current.text, current.file);
    const [found, wanted] = [portrait(current, whole), portrait(fresh, whole)];
    for (const [part, expected] of Object.entries(wanted)) {
        if (found[part] !== expected) expect(found[part], `${part} after ${note}`).toBe(expected);
    }
}
