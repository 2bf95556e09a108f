import { ProgramAnalysis } from '#language/analysis/analyse.ts';
import type { AnalysisOptions } from '#language/analysis/program-facts.ts';
import { finished, type Steps } from '#language/analysis/steps.ts';
import { ownProblems } from '#language/modules/all-problems.ts';
import { carryModuleNames, sameInclusion } from '#language/modules/include.ts';
import type { Inclusion, Module } from '#language/program/inclusion.ts';
import type { Problem } from '#language/program/problem.ts';
import { byRange, ClauseList } from './clause-list.ts';
import { clauseHolding, type OpenDocument } from './open-document.ts';
import { changedText, type TextChange } from './text-change.ts';

/**
 * A text that is being edited. After each change it gives what reading and analysing the whole text would give, and does
 * the work that the change makes necessary. What it gave before is no longer right then, because the places of clauses
 * move; the objects of unchanged clauses stay the same.
 */
export class RuleDocument {
    readonly #clauses: ClauseList;
    #analysis: ProgramAnalysis;
    #inclusion: Inclusion | undefined;
    /** Absent if the text or an included file changed since the last request. */
    #current: OpenDocument | undefined;
    /** Steps that lead to the next `#current`. */
    #updating: Steps<OpenDocument> | undefined;
    #options: AnalysisOptions;
    /** The analysis knows nothing that would have to be found out again without it. */
    #isNew = true;

    private constructor(clauses: ClauseList, options: AnalysisOptions) {
        this.#clauses = clauses;
        this.#options = options;
        this.#analysis = new ProgramAnalysis(options);
    }

    static open(text: string, file: string, options: AnalysisOptions = {}): RuleDocument {
        return finished(RuleDocument.opening(text, file, options));
    }

    static *opening(text: string, file: string, options: AnalysisOptions = {}): Steps<RuleDocument> {
        return new RuleDocument(yield* ClauseList.reading(text, file), options);
    }

    /** The document as it is now. */
    get current(): OpenDocument {
        return finished(this.updating());
    }

    /** The same in steps, between which the document may be edited, and others may take the next steps. */
    *updating(): Steps<OpenDocument> {
        while (this.#current === undefined) {
            this.#updating ??= snapshot(this.#clauses, this.#inclusion, this.#analysis);
            const step = this.#updating.next();
            if (step.done !== true) yield;
            else {
                this.#updating = undefined;
                this.#isNew = false;
                this.#current = step.value;
            }
        }
        return this.#current;
    }

    /** The clauses as they are now, and what reading them found wrong; nothing is analysed for that. */
    get module(): Module {
        const { file, clauses, problems } = this.#clauses;
        return { file, clauses, problems };
    }

    /** Makes changes one after the other, each to the text that the one before it left; or replaces the whole text. */
    edit(changes: string | readonly TextChange[]): void {
        this.#settle();
        const before = this.#clauses.clauses;
        if (typeof changes === 'string') this.#clauses.replaceText(changes);
        else if (changes.length > MANY_CHANGES) this.#clauses.replaceText(changes.reduce(changedText, this.#clauses.text));
        else for (const change of changes) this.#clauses.change(change);
        carryModuleNames(before, this.#clauses.clauses);
        this.#current = undefined;
    }

    /** The same, and what the text means then. */
    change(changes: string | readonly TextChange[]): OpenDocument {
        this.edit(changes);
        return this.current;
    }

    /** Says what the includes of the text stand for now. */
    include(inclusion: Inclusion | undefined): void {
        if (sameInclusion(inclusion, this.#inclusion)) return;
        this.#settle();
        this.#inclusion = inclusion;
        this.#current = undefined;
    }

    /** Analyses the same text with other knowledge of the host. */
    analyseWith(options: AnalysisOptions): OpenDocument {
        this.#options = options;
        this.#forget();
        return this.current;
    }

    /** Ends what is under way: a first analysis is begun anew, a later one has little left to do. */
    #settle(): void {
        if (this.#updating === undefined) return;
        if (this.#isNew) this.#forget();
        else finished(this.updating());
    }

    #forget(): void {
        this.#analysis = new ProgramAnalysis(this.#options);
        this.#isNew = true;
        this.#updating = undefined;
        this.#current = undefined;
    }
}

/** So many changes at once touch most of a text: looking at it once is less work than looking at each of them. */
const MANY_CHANGES = 20;

/** Analysis of more rules takes more than ten seconds and a gigabyte. */
export const MOST_RULES = 100_000;

function* snapshot(list: ClauseList, inclusion: Inclusion | undefined, analysis: ProgramAnalysis): Steps<OpenDocument> {
    const { file, text, problems: syntax } = list;
    const isUnread = list.clauses.length > MOST_RULES && list.clauses.filter(({ kind }) => kind === 'rule').length > MOST_RULES;
    const clauses = isUnread ? [] : list.clauses;
    const analysed = yield* analysis.updating(inclusion === undefined || isUnread ? { file, clauses } : { file, clauses, inclusion });
    yield;
    const problems = merged(syntax, ownProblems(analysed));
    return {
        file,
        text,
        program: analysed.program,
        analysed,
        problems,
        clauseAt: offset => clauseHolding(clauses, offset),
        ...(isUnread && { isUnread }),
    };
}

/** Two lists in text order as one; of problems at the same place, those of the first list come first. */
function merged(first: readonly Problem[], second: readonly Problem[]): readonly Problem[] {
    if (first.length === 0) return second;
    const all: Problem[] = [];
    let next = 0;
    for (const problem of first) {
        const until = indexFrom(second, next, problem);
        for (const other of second.slice(next, until)) all.push(other);
        all.push(problem);
        next = until;
    }
    for (const other of second.slice(next)) all.push(other);
    return all;
}

/** Index of the first problem, at an index or after it, that stands where another does or behind it. */
function indexFrom(problems: readonly Problem[], from: number, other: Problem): number {
    let low = from;
    let high = problems.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        const problem = problems[middle];
        if (problem !== undefined && byRange(problem, other) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}
