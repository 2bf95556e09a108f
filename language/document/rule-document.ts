import { analyse } from '#language/analysis/analyse.ts';
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
    #options: AnalysisOptions;
    #current: OpenDocument;

    private constructor(clauses: ClauseList, options: AnalysisOptions) {
        this.#clauses = clauses;
        this.#options = options;
        this.#current = snapshot(clauses, options);
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
        this.#options = options;
        return this.#renew();
    }

    #renew(): OpenDocument {
        this.#current = snapshot(this.#clauses, this.#options);
        return this.#current;
    }
}

/** So many changes at once touch most of a text: looking at it once is less work than looking at each of them. */
const MANY_CHANGES = 20;

function snapshot({ file, text, entries }: ClauseList, options: AnalysisOptions): OpenDocument {
    const clauses = entries.map(({ clause }) => clause);
    const analysed = analyse({ file, clauses }, options);
    const syntax: Problem[] = [];
    for (const entry of entries) for (const problem of entry.problems) syntax.push(problem);
    const problems = [...withOneTemporalProblem(syntax), ...analysed.problems];
    problems.sort((a, b) => rangeOf(a).start - rangeOf(b).start || rangeOf(a).end - rangeOf(b).end);
    return { file, text, analysed, problems, clauseAt: offset => clauseHolding(clauses, offset) };
}

function clauseHolding(clauses: readonly Clause[], offset: number): Clause | undefined {
    const index = lastClauseStartingAt(clauses, offset);
    const clause = clauses[index];
    const before = clauses[index - 1];
    if (clause === undefined) return undefined;
    if (clause.place.offset === offset && before !== undefined && before.place.offset + before.span.end === offset) return before;
    return offset <= clause.place.offset + clause.span.end ? clause : undefined;
}
