import { ProgramAnalysis } from '#language/analysis/program-analysis.ts';
import type { AnalysisOptions } from '#language/analysis/program-facts.ts';
import { lastClauseStartingAt, type OpenDocument, rangeOf } from '#language/editing/open-document.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause } from '#language/program/program.ts';
import { withOneTemporalProblem } from '#language/syntax/read-clause.ts';
import { ClauseList } from './clause-list.ts';
import { changedText, type TextChange } from './text-change.ts';

/**
 * A text that is being edited. After each change it gives what reading and analysing the whole text would give, and does
 * the work that the change makes necessary. What it gave before is no longer right then, because the places of clauses
 * move; the objects of unchanged clauses stay the same.
 */
export class RuleDocument {
    readonly #clauses: ClauseList;
    #analysis: ProgramAnalysis;
    #current: OpenDocument;

    private constructor(clauses: ClauseList, options: AnalysisOptions) {
        this.#clauses = clauses;
        this.#analysis = new ProgramAnalysis(options);
        this.#current = snapshot(clauses, this.#analysis);
    }

    static open(text: string, file: string, options: AnalysisOptions = {}): RuleDocument {
        return new RuleDocument(new ClauseList(text, file), options);
    }

    /** The document as it is now. */
    get current(): OpenDocument {
        return this.#current;
    }

    /** Makes changes one after the other, each to the text that the one before it left; or replaces the whole text. */
    change(changes: string | readonly TextChange[]): OpenDocument {
        if (typeof changes === 'string') this.#clauses.replaceText(changes);
        else if (changes.length > MANY_CHANGES) this.#clauses.replaceText(changes.reduce(changedText, this.#clauses.text));
        else for (const change of changes) this.#clauses.change(change);
        return this.#renew();
    }

    /** Analyses the same text with other knowledge of the host. */
    analyseWith(options: AnalysisOptions): OpenDocument {
        this.#analysis = new ProgramAnalysis(options);
        return this.#renew();
    }

    #renew(): OpenDocument {
        this.#current = snapshot(this.#clauses, this.#analysis);
        return this.#current;
    }
}

/** So many changes at once touch most of a text: looking at it once is less work than looking at each of them. */
const MANY_CHANGES = 20;

function snapshot({ file, text, entries }: ClauseList, analysis: ProgramAnalysis): OpenDocument {
    const clauses = entries.map(({ clause }) => clause);
    const analysed = analysis.update({ file, clauses });
    const syntax: Problem[] = [];
    for (const entry of entries) for (const problem of entry.problems) syntax.push(problem);
    const problems = merged(withOneTemporalProblem(syntax), analysed.problems);
    return { file, text, analysed, problems, clauseAt: offset => clauseHolding(clauses, offset) };
}

/** Two lists in text order as one; of problems at the same place, those of the first list come first. */
function merged(first: readonly Problem[], second: readonly Problem[]): readonly Problem[] {
    if (first.length === 0) return second;
    const sorted = [...first].sort(byRange);
    const all: Problem[] = [];
    let next = 0;
    for (const problem of second) {
        for (let other = sorted[next]; other !== undefined && byRange(other, problem) <= 0; other = sorted[next]) {
            all.push(other);
            next++;
        }
        all.push(problem);
    }
    for (const problem of sorted.slice(next)) all.push(problem);
    return all;
}

function byRange(a: Problem, b: Problem): number {
    return rangeOf(a).start - rangeOf(b).start || rangeOf(a).end - rangeOf(b).end;
}

function clauseHolding(clauses: readonly Clause[], offset: number): Clause | undefined {
    const index = lastClauseStartingAt(clauses, offset);
    const clause = clauses[index];
    const before = clauses[index - 1];
    if (clause === undefined) return undefined;
    if (clause.place.offset === offset && before !== undefined && before.place.offset + before.span.end === offset) return before;
    return offset <= clause.place.offset + clause.span.end ? clause : undefined;
}
