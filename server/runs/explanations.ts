import { factText } from '#engine/explain/fact-text.ts';
import type { Listing } from '#engine/results/listing.ts';
import { type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import type { Explanation, OutputKey } from '#server/protocol/runs.ts';
import type { AskablePredicate, QuestionCheck, WhyNotAnswer } from '#server/protocol/why-not.ts';
import { Absences } from './absences.ts';
import { questionProblem, questionRemark, readFact } from './asked-fact.ts';
import type { FinishedRun, Results } from './evaluate-run.ts';
import { ExplainedFacts } from './explained-facts.ts';
import { ExplainedNodes } from './explained-nodes.ts';
import { originPlaces } from './origin-places.ts';
import { refuse } from './refusal.ts';

/** Why facts of a run hold, and why others do not. */
export interface Explanations {
    /** What was explained, by its numbers. */
    readonly nodes: ExplainedNodes;
    /** Explains a row of a relation that is shown in this listing. */
    explain(listing: Listing, row: number, all: boolean): Promise<Explanation>;
    predicates(): readonly AskablePredicate[];
    check(question: string): QuestionCheck;
    whyNot(question: string): Promise<WhyNotAnswer>;
}

/** Explanations of a run. The heights that they need come from a second evaluation, at the first question. */
export function explanations(finished: FinishedRun): Explanations {
    const nodes = new ExplainedNodes();
    const places = originPlaces(finished);
    const { program } = finished.loaded;
    const shown = finished.results;
    let kept: Promise<ExplainedFacts> | undefined;
    /** An evaluation of a predicate that the run did not need: the last one that was asked about. */
    let further: { readonly key: PredicateKey; readonly facts: Promise<ExplainedFacts> } | undefined;

    const evaluated = async (also: readonly PredicateKey[]): Promise<ExplainedFacts> =>
        new ExplainedFacts(await finished.withHeights(also), nodes, places);
    const facts = (): Promise<ExplainedFacts> => {
        kept ??= evaluated([]);
        kept.catch(() => {
            kept = undefined;
        });
        return kept;
    };
    const factsWith = (key: PredicateKey): Promise<ExplainedFacts> => {
        if (shown.database.relation(key) !== undefined) return facts();
        if (further?.key !== key) {
            const asked = { key, facts: evaluated([key]) };
            asked.facts.catch(() => {
                if (further === asked) further = undefined;
            });
            further = asked;
        }
        return further.facts;
    };

    return {
        nodes,
        async explain(listing, row, all) {
            const explained = await facts();
            return explained.explain({ predicate: listing.predicate, row: sameRow(listing, row, shown, explained.results) }, all);
        },
        predicates() {
            const outputs = new Set<OutputKey>(shown.listings.map(({ predicate }) => predicate));
            const all = program.strata
                .flatMap(({ predicates }) => predicates)
                .flatMap(key => program.predicates.get(key) ?? [])
                .map(({ key, name, columns, rules }): AskablePredicate => {
                    const count = shown.database.relation(key)?.count;
                    return {
                        key,
                        name,
                        columns: columns.map(column => column.name),
                        kind: outputs.has(key) ? 'output' : rules.length > 0 ? 'derived' : 'given',
                        ...(count === undefined ? {} : { facts: count }),
                    };
                });
            return (['output', 'derived', 'given'] as const).flatMap(kind => all.filter(predicate => predicate.kind === kind));
        },
        check(question) {
            const asked = readFact(question);
            const problem = questionProblem(program, asked);
            const remark = asked && questionRemark(asked);
            return { ...(problem === undefined ? {} : { problem }), ...(remark === undefined ? {} : { remark }) };
        },
        async whyNot(question) {
            const asked = readFact(question);
            const problem = questionProblem(program, asked);
            if (asked === undefined || problem !== undefined) return refuse(problem ?? '');
            const explained = await factsWith(predicateKey(asked.atom.predicate, asked.atom.arguments.length));
            return new Absences(explained).answer(asked, question);
        },
    };
}

/** The row of the second evaluation that stands where this one does in the first. */
function sameRow(shown: Listing, row: number, first: Results, second: Results): number {
    const changed = (): never => refuse('The data has changed since this run. Run the program again, then explain');
    const listing = second.listings.find(({ predicate }) => predicate === shown.predicate);
    const at = shown.rows.indexOf(row);
    const same = listing?.rows[at];
    const predicate = second.database.program.predicates.get(shown.predicate);
    if (listing === undefined || same === undefined || predicate === undefined || listing.count !== shown.count) return changed();
    const textOf = (of: Listing, by: Results['label']): string =>
        factText(
            of.dictionary,
            predicate,
            of.columns.map((_, column) => of.at(at, column)),
            by,
        );
    return textOf(listing, second.label) === textOf(shown, first.label) ? same : changed();
}
