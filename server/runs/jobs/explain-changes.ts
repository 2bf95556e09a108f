import type { Database } from '#engine/contracts/database.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { Origin } from '#engine/explain/explanation.ts';
import { type ExplanationJson, explanationTrees } from '#engine/explain/explanation-text.ts';
import { explanationTree } from '#engine/explain/explanation-tree.ts';
import { askedValues } from '#engine/explain/find-facts.ts';
import { leftOutText } from '#engine/explain/left-out.ts';
import { whyNot } from '#engine/explain/why-not.ts';
import { type WhyNotJson, whyNotJson, whyNotTree } from '#engine/explain/why-not-text.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { sourceText } from '#server/notices/source-texts.ts';
import { findAsked, readFact } from '../asked-fact.ts';
import { jobSource } from '../evaluate-job.ts';
import type { JobContext } from '../job-context.ts';
import { type LoadedProgram, loadProgram } from '../load-program.ts';
import { providersOf } from '../model-providers.ts';
import { originText } from '../origin-text.ts';
import { prepareRun } from '../prepare-run.ts';
import { sayNotices } from '../say-notices.ts';
import { whollyChangedSource } from '../what-if/changed-source.ts';
import { ADDED, type Changes } from '../what-if/read-changes.ts';
import { withQueries } from '../with-queries.ts';
import { checkpointOf } from '../write-outputs.ts';
import type { WhatIfJob } from './what-if.ts';

/** Why rows come and go, told by the changed program. */
export interface ExplainedChanges {
    /** Lines of a tree whose root is the fact: why it is there, or why not. */
    lines(fact: string): Promise<readonly string[]>;
    json(fact: string): Promise<ExplanationJson | WhyNotJson | undefined>;
}

/** Facts drawn in one tree, and reasons told for one that is not there. */
const DRAWN = 50;
const REASONS = 1;

/** A finished evaluation of the changed program. */
export interface EvaluatedChanges {
    readonly loaded: LoadedProgram;
    readonly database: Database;
}

/** Evaluates the changed program anew, with what explanations need; undefined after reporting why it fails. */
export async function evaluatedChanges(job: WhatIfJob, changes: Changes, context: JobContext): Promise<EvaluatedChanges | undefined> {
    const loaded = await loadProgram(whollyChangedSource(jobSource(job, new Map(job.parameters)), changes));
    const { seed, now } = job.surroundings;
    const request = {
        shown: loaded.program.outputs,
        writes: false,
        heights: true,
        constraints: false,
        lacking: changes.removedFacts,
        limits: job.limits,
        python: job.python,
        providers: providersOf(job),
        ...(seed !== undefined && { seed }),
        ...(now !== undefined && { now: () => now }),
    };
    const outcome = await (await prepareRun(loaded, request, context)).evaluate();
    if (!outcome.ok) {
        sayNotices(outcome.reports.map(reportNotice), context);
        return undefined;
    }
    return { loaded, database: outcome.database };
}

/** Makes the changed program ready to explain. */
export function explainedChanges(
    { loaded, database }: EvaluatedChanges,
    changes: Changes,
    job: WhatIfJob,
    context: JobContext,
): ExplainedChanges {
    // The clauses that come stand in no file.
    const texts = new Map([...loaded.texts, [ADDED, sourceText(changes.text)]]);
    const label = nullLabels(database.dictionary);
    const checkpoint = checkpointOf(context);
    const place = (origin: Origin): string => originText(origin, { ...loaded, texts });
    const leftOutOf = leftOutText(database, label);
    const answered = async <T>(
        fact: string,
        there: (found: Found, leftOut: string | undefined) => T,
        missing: (found: Missing) => T,
    ): Promise<T | undefined> => {
        const asked = readFact(fact);
        if (asked === undefined) return undefined;
        const found = findAsked(database, asked, label, checkpoint);
        const [row] = found.kind === 'found' ? found.facts : [];
        if (row !== undefined) return there(explainFact(database, row, { label, checkpoint }), leftOutOf(row));
        const { atom, place: at } = asked;
        const absent = { predicate: predicateKey(atom.predicate, atom.arguments.length), values: askedValues(database, atom, at) };
        const answer = await withQueries([database], job.limits.maxMemory, checkpoint, () =>
            whyNot(database, absent, { label, checkpoint }),
        );
        return missing(answer);
    };
    return {
        lines: async fact =>
            (await answered(
                fact,
                (node, leftOut) => {
                    const [head = '', ...lines] = explanationTree(node, { place, limit: DRAWN });
                    return [head, ...(leftOut === undefined ? [] : [leftOut]), ...lines];
                },
                answer => whyNotTree({ ...answer, edits: [] }, { place, reasons: REASONS }),
            )) ?? [],
        json: fact =>
            answered<ExplanationJson | WhyNotJson | undefined>(
                fact,
                (node, leftOut) => {
                    const [tree] = explanationTrees(node);
                    return tree && { ...tree, ...(leftOut !== undefined && { leftOut }) };
                },
                answer => whyNotJson({ ...answer, edits: [] }, place),
            ),
    };
}

type Found = ReturnType<typeof explainFact>;
type Missing = ReturnType<typeof whyNot>;
