import { expect } from 'vitest';
import type { AnalysisOptions } from '#language/analysis/program-facts.ts';
import { type OpenDocument, openDocument, rangeOf } from '#language/document/open-document.ts';
import type { RuleDocument } from '#language/document/rule-document.ts';
import type { FindModule } from '#language/modules/include.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Problem, RelatedPlace } from '#language/program/problem.ts';

/** What a document says, as data that can be compared: everything in the order in which it is given. */
function portrait({ text, analysed, problems }: OpenDocument, whole: boolean): Record<string, string> {
    return {
        clauses: analysed.program.clauses
            .map(clause => `${text.slice(clause.place.offset, clause.place.offset + clause.span.end)} ${written(clause)}`)
            .join('\n'),
        problems: problems.map(printed).join('\n'),
        ...(whole && { named: written(predicatesByName(analysed)), analysis: written(meaning(analysed)) }),
    };
}

/** What is found by names, which is asked before anything else makes the predicates. */
function predicatesByName(analysed: AnalysedProgram): readonly unknown[] {
    const names = [...analysed.predicateNames()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return names.map(({ name, predicates }) => [name, predicates, analysed.predicatesNamed(name)]);
}

/** What the analysis found out, with the places in the program as the only identities. */
function meaning(analysed: AnalysedProgram): object {
    const { program: _, problems, rules, predicates, ...rest } = analysed;
    return { ...rest, rules, predicates: [...predicates], problems: problems.map(printed) };
}

/** What `predicatesByName` has to give. */
function grouped({ predicates }: AnalysedProgram): readonly unknown[] {
    const names = [...new Set([...predicates.values()].map(({ name }) => name))].sort((a, b) => (a < b ? -1 : 1));
    return names.map(name => {
        const own = [...predicates.values()].filter(predicate => predicate.name === name).sort((a, b) => a.arity - b.arity);
        return [name, own.map(({ arity }) => arity), own];
    });
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

interface Comparison {
    /** Ask also for what problems do not need. */
    readonly whole?: boolean;
    readonly options?: AnalysisOptions;
    readonly find?: FindModule;
}

/** The document equals one that is read and analysed from its text. */
export function expectSame(document: RuleDocument, note: string, { whole = true, options = {}, find }: Comparison = {}): void {
    const { current } = document;
    const fresh = openDocument(current.text, current.file, options, find);
    const [found, wanted] = [portrait(current, whole), portrait(fresh, whole)];
    for (const [part, expected] of Object.entries(wanted)) {
        if (found[part] !== expected) expect(found[part], `${part} after ${note}`).toBe(expected);
    }
    if (whole) expect(written(predicatesByName(fresh.analysed)), `names after ${note}`).toBe(written(grouped(fresh.analysed)));
}
