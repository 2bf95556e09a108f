import type { Providers } from '#engine/contracts/providers.ts';
import { namesAmong } from '#engine/explain/names-among.ts';
import { factText } from '#engine/values/fact-text.ts';
import { type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';
import type { ExplainingMethods, ExplainingQuestion, ListedRow } from '#server/protocol/explaining.ts';
import { answerBy, type Handlers } from '#server/protocol/methods.ts';
import type { ExplainingInput, ProgramRun } from '#server/protocol/run-process.ts';
import type { WhatIfChanges } from '#server/protocol/what-if.ts';
import { Absences } from './absences.ts';
import type { Answers, Stops } from './answer-questions.ts';
import { readEquality } from './asked-equality.ts';
import { type AskedFact, readFact } from './asked-fact.ts';
import { chosenPredicates, evaluateWithHeights } from './evaluate-run.ts';
import { ExplainedFacts } from './explained-facts.ts';
import { ExplainedNodes } from './explained-nodes.ts';
import { type LoadedProgram, loadProgram } from './load-program.ts';
import { originPlaces } from './origin-places.ts';
import type { Results } from './results.ts';
import { runSource } from './run-source.ts';
import { whollyChangedSource } from './what-if/changed-source.ts';
import { ADDED, readChanges } from './what-if/read-changes.ts';
import { hasQueries, withQueries } from './with-queries.ts';

/** Why facts of a run hold, and why others do not. The heights that this needs come from a second evaluation, at the first question. */
export function runExplanations(
    { run, maxMemory, now, lastNode, changes }: ExplainingInput,
    { checkpoint, cancelled }: Stops<ExplainingQuestion>,
    providers: Providers,
): Answers<ExplainingQuestion> {
    const nodes = new ExplainedNodes(lastNode);
    let loading: Promise<ExplainedProgram> | undefined;
    let kept: ExplainedFacts | undefined;
    /** An evaluation of a predicate that the run did not need: the last one that was asked about. */
    let further: { readonly key: PredicateKey; readonly facts: ExplainedFacts } | undefined;

    const known = (key: PredicateKey | undefined): ExplainedFacts | undefined =>
        key === undefined ? kept : further?.key === key ? further.facts : undefined;
    const facts = (key: PredicateKey | undefined): ExplainedFacts => known(key) ?? refuse(say`Nothing was evaluated`);

    /** The predicate that a question is about, where the run did not need it. */
    const furtherOf = ({ atom }: AskedFact): PredicateKey | undefined => {
        const key = predicateKey(atom.predicate, atom.arguments.length);
        return kept?.results.database.relation(key) === undefined ? key : undefined;
    };
    const furtherIn = ({ method, params }: ExplainingQuestion): PredicateKey | undefined => {
        const asked = method === 'rulelang/whyNot' && kept !== undefined ? readFact(params.question) : undefined;
        return asked && furtherOf(asked);
    };

    const evaluated = async (key: PredicateKey | undefined): Promise<void> => {
        if (known(key) !== undefined) return;
        loading ??= explainedProgram(run, changes);
        const { loaded, lacking } = await loading;
        const chosen = chosenPredicates(run, loaded);
        const isSame = (other: ExplainingQuestion): boolean => needsFacts(other) && (key === undefined || furtherIn(other) === key);
        const results = await evaluateWithHeights(run, loaded, typeof chosen === 'string' ? refuse(chosen) : chosen, {
            also: key === undefined ? [] : [key],
            maxMemory,
            now,
            providers,
            cancelled: () => cancelled(isSame),
            ...(lacking && { lacking }),
        });
        const places = originPlaces(loaded);
        const found = new ExplainedFacts(results, nodes, places, () => undefined, checkpoint);
        if (key === undefined) kept = found;
        else further = { key, facts: found };
    };

    const handlers: Handlers<ExplainingMethods> = {
        ...nodes.answers,
        'rulelang/reveal': ({ node, derivation }) => {
            const place = nodes.reveal(node, derivation);
            // What comes stands in no file.
            return place?.kind === 'program' && place.file === ADDED && changes !== undefined ? null : place;
        },
        'rulelang/explainRow': ({ row, all }) => {
            const explained = facts(undefined);
            if (!('text' in row)) return refuse(say`This row is not there`);
            return explained.explain({ predicate: row.output as PredicateKey, row: sameRow(row, explained.results) }, all);
        },
        'rulelang/namesAmong': ({ words }) => namesAmong(facts(undefined).results.database, words),
        'rulelang/whyNot': ({ question }) => {
            const equality = readEquality(question);
            if (equality !== undefined) return new Absences(facts(undefined), () => undefined, checkpoint).equality(equality);
            const asked = readFact(question) ?? refuse(say`This is not a fact`);
            return new Absences(facts(furtherOf(asked)), () => undefined, checkpoint).answer(asked, question);
        },
    };
    return {
        async prepare(question) {
            if (!needsFacts(question)) return;
            // Before an evaluation that few need the one that most need: then others are answered while it goes on.
            await evaluated(undefined);
            await evaluated(furtherIn(question));
            const { database } = facts(furtherIn(question)).results;
            if (question.method === 'rulelang/whyNot')
                await withQueries([database], maxMemory, checkpoint, () => answerBy(handlers, question, undefined));
        },
        isReady(question) {
            if (!needsFacts(question)) return true;
            const found = known(furtherIn(question));
            return found !== undefined && (question.method !== 'rulelang/whyNot' || !hasQueries(found.results.database));
        },
        answer: question => answerBy(handlers, question, undefined),
    };
}

interface ExplainedProgram {
    readonly loaded: LoadedProgram;
    readonly lacking?: readonly AskedFact[];
}

/** The program of a run, as it is or with some changes. */
async function explainedProgram(run: ProgramRun, changes: WhatIfChanges | undefined): Promise<ExplainedProgram> {
    const source = runSource(run);
    const loaded = await loadProgram(source);
    if (changes === undefined) return { loaded };
    const read = readChanges(changes, loaded.program);
    if (typeof read === 'string') return refuse(read);
    return { loaded: await loadProgram(whollyChangedSource(source, read)), lacking: read.removedFacts };
}

function needsFacts({ method }: ExplainingQuestion): boolean {
    return method === 'rulelang/explainRow' || method === 'rulelang/whyNot' || method === 'rulelang/namesAmong';
}

/** The row that stands where this one did in the first evaluation. */
function sameRow({ output, at, count, text }: ListedRow, { database, listings, label }: Results): number {
    const changed = (): never => refuse(say`The data has changed since this run. Run the program again, then explain`);
    const listing = listings.find(({ predicate }) => predicate === output);
    const row = listing?.rows[at];
    const predicate = listing && database.program.predicates.get(listing.predicate);
    if (listing === undefined || row === undefined || predicate === undefined || listing.count !== count) return changed();
    const values = listing.columns.map((_, column) => listing.at(at, column));
    return factText(listing.dictionary, predicate, values, label) === text ? row : changed();
}
