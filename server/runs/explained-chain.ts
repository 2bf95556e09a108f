import { basename } from 'node:path';
import type { Origin } from '#engine/explain/explanation.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { namesAmong } from '#engine/explain/names-among.ts';
import { sourcePlace } from '#engine/explain/origin.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import { refuse } from '#server/notices/refusal.ts';
import { positionAt, sourceText } from '#server/notices/source-texts.ts';
import type { ChainRunStep, FileStamp } from '#server/protocol/chain-run.ts';
import type { ExplainingMethods } from '#server/protocol/explaining.ts';
import type { Handlers } from '#server/protocol/methods.ts';
import type { Explanation } from '#server/protocol/runs.ts';
import { Absences, type AbsentElsewhere } from './absences.ts';
import { readEquality } from './asked-equality.ts';
import { readFact } from './asked-fact.ts';
import { ExplainedFacts } from './explained-facts.ts';
import { ExplainedNodes } from './explained-nodes.ts';
import type { KeptRows } from './kept-rows.ts';
import type { Results } from './results.ts';
import { rowValues, valueBytes } from './row-values.ts';

/** A step that was evaluated with the heights of its facts. */
export interface EvaluatedStep {
    readonly step: ChainRunStep;
    /** The name of its text in places. */
    readonly file: string;
    readonly results: Results;
    readonly kept: KeptRows;
}

interface ExplainedStep {
    readonly evaluated: EvaluatedStep;
    readonly facts: ExplainedFacts;
    readonly absences: Absences;
}

/** Why the rows of the last step hold and others are missing, down through all steps. `changed` names files that are not what they were when the rows were stored; `checkpoint` ends an answer by an error. */
export function explainedChain(
    steps: readonly EvaluatedStep[],
    changed: readonly string[],
    checkpoint: () => void,
): Handlers<ExplainingMethods> {
    const nodes = new ExplainedNodes();
    const byConcept = new Map<string, ExplainedStep>();
    for (const evaluated of steps) {
        const given = (fact: FactRow) => {
            const concept = conceptOf(evaluated, evaluated.results.database.program.predicates.get(fact.predicate)?.name);
            const other = concept === undefined ? undefined : byConcept.get(concept);
            if (concept === undefined || other === undefined) return undefined;
            return { concept, derivations: (all: boolean) => derivationsIn(other, valuesOf(evaluated, fact), concept, all) };
        };
        const facts = new ExplainedFacts(evaluated.results, nodes, placesOf(evaluated), given, checkpoint);
        const elsewhere: AbsentElsewhere = fact => {
            const asked = readFact(fact);
            const concept = conceptOf(evaluated, asked?.atom.predicate);
            const other = concept === undefined ? undefined : byConcept.get(concept);
            if (asked === undefined || concept === undefined || other === undefined || asked.labels.length > 0) return undefined;
            let answer: ReturnType<Absences['absent']> | undefined;
            return () => {
                answer ??= other.absences.absent({ ...asked, atom: { ...asked.atom, predicate: concept } });
                return answer;
            };
        };
        byConcept.set(evaluated.step.concept, { evaluated, facts, absences: new Absences(facts, elsewhere, checkpoint) });
    }
    const last = [...byConcept.values()].at(-1);

    const derivationsIn = (
        { evaluated, facts }: ExplainedStep,
        values: readonly Uint8Array[],
        concept: string,
        all: boolean,
    ): Explanation['derivations'] => {
        const at =
            rowWith(evaluated.kept, values, 0) ??
            refuse(say`The row of ${concept} is not found in this form: a type was changed on the way`);
        const { fact, derivations } = facts.explain(rowAt(evaluated, at), all);
        if (derivations.length > 0 || fact.origin === undefined) return derivations;
        // A fact of the concept itself is shown like a rule without a body.
        return [{ rule: `${fact.text}.`, place: fact.origin.label, premises: [] }];
    };

    return {
        ...nodes.answers,
        'rulelang/explainRow': ({ row, all }) => {
            if (last === undefined || !('values' in row)) return refuse(say`Nothing was evaluated`);
            const at = rowWith(last.evaluated.kept, row.values, row.at);
            if (at !== undefined) return last.facts.explain(rowAt(last.evaluated, at), all);
            if (changed.length > 0)
                return refuse(say`This row does not come about any more: ${changed.join(', ')} changed since it was stored`);
            return refuse(say`This row does not come about again, though nothing that it was made from has changed`);
        },
        'rulelang/namesAmong': ({ words }) => {
            const all = steps.flatMap(({ results }) => namesAmong(results.database, words));
            return [...new Set(all)];
        },
        'rulelang/whyNot': ({ question }) => {
            const equality = readEquality(question);
            if (last !== undefined && equality !== undefined) return last.absences.equality(equality);
            const asked = readFact(question);
            if (last === undefined || asked === undefined) return refuse(say`Nothing was asked`);
            return last.absences.answer(asked, question);
        },
    };
}

/** Names of the files whose stamps are others than those that were taken before. */
export function changedFiles(before: readonly (readonly FileStamp[])[], now: readonly (readonly FileStamp[])[]): string[] {
    const names = now.flatMap((files, step) =>
        files.flatMap(({ file, stamp }, i) => (before[step]?.[i]?.file === file && before[step]?.[i]?.stamp === stamp ? [] : [file])),
    );
    return [...new Set(names)];
}

/** The concept that gives the facts of a predicate to a step. */
function conceptOf({ step }: EvaluatedStep, predicate: string | undefined): string | undefined {
    return step.inputs.find(input => input.predicate === predicate)?.concept;
}

function valuesOf({ results: { database }, kept }: EvaluatedStep, { predicate, row }: FactRow): Uint8Array[] {
    const types = database.program.predicates.get(predicate)?.columns ?? [];
    const columns = database.relation(predicate)?.columns ?? [];
    return columns.map((column, i) => valueBytes(column[row] ?? 0, types[i]?.type ?? MIXED, database.dictionary, kept.numberOf));
}

function rowAt({ kept: { listing } }: EvaluatedStep, at: number): FactRow {
    return { predicate: listing.predicate, row: listing.rows[at] ?? 0 };
}

/**
 * The place of the row with these values in a listing. All rows are written from the first one on, whatever the guess, since a null gets its
 * number when it is first written.
 */
function rowWith(kept: KeptRows, values: readonly Uint8Array[], guess: number): number | undefined {
    let found: number | undefined;
    for (let offset = 0; offset < kept.listing.count; ) {
        const { rows, bytes, ends } = rowValues(kept, offset);
        for (let row = 0; row < rows; row++) {
            const isEqual = values.every((value, column) => {
                const end = row * values.length + column;
                return Buffer.compare(bytes.subarray(ends[end - 1] ?? 0, ends[end]), value) === 0;
            });
            if (!isEqual || values.length !== kept.listing.columns.length) continue;
            if (offset + row >= guess) return offset + row;
            found ??= offset + row;
        }
        offset += rows;
    }
    return found;
}

/** Places are named after concepts, modules and data files. */
function placesOf({ step, file }: EvaluatedStep) {
    const text = sourceText(step.text);
    return {
        label(origin: Origin): string {
            if (origin.kind === 'source') return sourcePlace(origin);
            const { place, span } = origin;
            if (place.file !== file) return `${basename(place.file)}:${place.line + 1}`;
            return `${step.concept}:${positionAt(text, place.offset + span.start).line + 1}`;
        },
        placeOf: () => refuse(say`Places are not opened here`),
    };
}
