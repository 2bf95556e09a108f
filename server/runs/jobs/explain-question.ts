import type { Database } from '#engine/contracts/database.ts';
import type { WhyNot } from '#engine/explain/cause.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { FactNode, Origin } from '#engine/explain/explanation.ts';
import { explanationTrees } from '#engine/explain/explanation-text.ts';
import { explanationTree } from '#engine/explain/explanation-tree.ts';
import { explanationWords } from '#engine/explain/explanation-words.ts';
import { askedValues } from '#engine/explain/find-facts.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { namesAmong } from '#engine/explain/names-among.ts';
import { type WhyNotOptions, whyNot, whyNotEqual } from '#engine/explain/why-not.ts';
import { whyNotJson, whyNotTree } from '#engine/explain/why-not-text.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { visible, visibleJson } from '#server/notices/visible-text.ts';
import { EXIT, type ProgramJob } from '#server/protocol/jobs.ts';
import { TEXT_WIDTH, wrapped } from '#server/terminal/notice-text.ts';
import { labelledValues, readEquality, unknownIn } from '../asked-equality.ts';
import { type AskedFact, findAsked, isOpen, questionProblem, readFact, valuesOf } from '../asked-fact.ts';
import { type Evaluation, evaluateJob } from '../evaluate-job.ts';
import type { JobContext } from '../job-context.ts';
import { originText } from '../origin-text.ts';
import { withQueries } from '../with-queries.ts';
import { checkpointOf } from '../write-outputs.ts';
import { tellInWords } from './tell-in-words.ts';

export type ExplanationPart = 'tree' | 'text';

export interface ExplainJob extends ProgramJob {
    readonly kind: 'explain';
    /** Two unknown values, `z1 = z2`, ask why they are two. */
    readonly fact: string;
    /** Patterns of two facts: why their unknown values are two is asked instead. */
    readonly same?: readonly [string, string];
    readonly format: 'text' | 'json';
    /** Every derivation instead of the first. */
    readonly all: boolean;
    /** Facts explained at most, of those that fit the question. */
    readonly limit: number;
    /** Facts below one another in the tree at most. */
    readonly depth?: number;
    /** The parts of an explanation to print in the format text. */
    readonly parts: readonly ExplanationPart[];
    /** A model of the environment tells it, too. */
    readonly inWords: boolean;
}

/** Says why a fact holds, or why it does not: evaluates the program once more with heights and prints the derivations of the fact, or what came nearest to one. */
export async function explainQuestion(job: ExplainJob, context: JobContext): Promise<number> {
    if (job.same !== undefined || readEquality(job.fact) !== undefined) return explainEquality(job, context);
    const question = readFact(job.fact);
    if (question === undefined) {
        context.say(say`rulelang explain: '${job.fact}' is not a fact; write it as in a program: 'reach("k", "p")'\n`);
        return EXIT.usage;
    }
    const evaluated = await evaluateJob(
        job,
        context,
        () => undefined,
        predicateKey(question.atom.predicate, question.atom.arguments.length),
    );
    if (!evaluated.ok) return evaluated.exitCode;
    context.releaseTerminal();
    const { outcome, checkpoint } = evaluated;
    const { database } = outcome;
    const label = stableLabels(database, checkpoint);
    const found = findAsked(database, question, label, checkpoint);
    switch (found.kind) {
        case 'unknown-predicate':
        case 'wrong-arity':
            context.say(`${questionProblem(database.program, question)}\n`);
            return EXIT.failed;
        case 'absent':
            await printWhyNot(question, evaluated, label, job, context);
            return EXIT.failed;
        case 'others':
            sayOthers(job.fact, found.facts.slice(0, 3), database, label, context);
            return EXIT.failed;
        case 'found':
            return printExplanations(found.facts, job.all || isOpen(question), evaluated, label, job, context);
    }
}

/** Says why two unknown values are two, or by which facts they are one. */
async function explainEquality(job: ExplainJob, context: JobContext): Promise<number> {
    const evaluated = await evaluateJob(job, context, () => undefined);
    if (!evaluated.ok) return evaluated.exitCode;
    context.releaseTerminal();
    const { outcome, checkpoint } = evaluated;
    const { database } = outcome;
    const label = stableLabels(database, checkpoint);
    const asked = job.same?.map(pattern => unknownIn(database, pattern, label));
    const problem = asked?.find(one => typeof one === 'string');
    const facts = asked?.flatMap(one => (typeof one === 'string' ? [] : [one])) ?? [];
    const [first, second] = facts;
    const values =
        problem ??
        (first === undefined || second === undefined
            ? labelledValues(database, readEquality(job.fact) ?? ['', ''], label)
            : ([first.value, second.value] as const));
    if (typeof values === 'string') {
        context.say(`${values}\n`);
        return EXIT.failed;
    }
    if (values[0] === values[1]) {
        context.print(say`It is one unknown value: ${label(values[0])}\n`);
        return facts.length === 0
            ? EXIT.fine
            : printExplanations(
                  facts.map(({ fact }) => fact),
                  true,
                  evaluated,
                  label,
                  job,
                  context,
              );
    }
    await printAbsence(options => whyNotEqual(database, values, options), evaluated, label, job, context);
    return EXIT.failed;
}

/** Reasons told for the fact itself. */
const REASONS = 3;

async function printWhyNot(
    question: AskedFact,
    evaluation: Evaluation,
    label: NullLabel,
    job: ExplainJob,
    context: JobContext,
): Promise<void> {
    const { database } = evaluation.outcome;
    const { atom, place: asked } = question;
    const fact = { predicate: predicateKey(atom.predicate, atom.arguments.length), values: askedValues(database, atom, asked) };
    await printAbsence(options => whyNot(database, fact, options), evaluation, label, job, context);
}

async function printAbsence(
    answered: (options: WhyNotOptions) => WhyNot,
    { loaded, outcome: { database }, explaining, isLate }: Evaluation,
    label: NullLabel,
    job: ExplainJob,
    context: JobContext,
): Promise<void> {
    const goOn = checkpointOf(context);
    const checkpoint = (): void => {
        goOn();
        explaining(0);
    };
    const answer = await withQueries([database], job.limits.maxMemory, checkpoint, () => answered({ label, checkpoint, isLate }));
    const place = (origin: Origin): string => originText(origin, loaded);
    if (job.format === 'json') {
        printJson(whyNotJson(answer, place), context);
        return;
    }
    const lines = whyNotTree(answer, { place, reasons: job.all ? Number.POSITIVE_INFINITY : REASONS });
    context.print(`${lines.map(visible).join('\n')}\n`);
}

/** Facts drawn in one tree. */
const DRAWN = 200;

async function printExplanations(
    fitting: readonly FactRow[],
    several: boolean,
    { loaded, outcome: { database }, checkpoint: goOn, explaining }: Evaluation,
    label: NullLabel,
    job: ExplainJob,
    context: JobContext,
): Promise<number> {
    let done = 0;
    const checkpoint = (): void => {
        goOn();
        explaining(done);
    };
    const explained = (fact: FactRow): FactNode => {
        checkpoint();
        done++;
        return explainFact(database, fact, { all: job.all, label, checkpoint });
    };
    const facts = fitting.slice(0, job.limit);
    if (job.format === 'json') {
        const trees = facts.flatMap(fact => explanationTrees(explained(fact)));
        if (!several) printJson(trees[0], context);
        else {
            const texts = trees.map(tree => {
                checkpoint();
                return `  ${jsonText(tree).replaceAll('\n', '\n  ')}`;
            });
            printText(`[\n${texts.join(',\n')}\n]`, context);
        }
        return EXIT.fine;
    }
    const place = (origin: Origin): string => originText(origin, loaded);
    const nodes: FactNode[] = [];
    for (const [index, fact] of facts.entries()) {
        const node = explained(fact);
        nodes.push(node);
        const parts = job.parts.map(part =>
            part === 'tree'
                ? explanationTree(node, { place, limit: DRAWN, ...(job.depth === undefined ? {} : { depth: job.depth }) })
                : explanationWords(node, say`${job.parts.includes('tree') ? say`The tree` : '--tree'} shows what these rest on.`)
                      .split('\n')
                      .flatMap(line => wrapped(line, TEXT_WIDTH, '').split('\n')),
        );
        const blocks = parts.map(lines => lines.map(visible).join('\n'));
        context.print(`${index === 0 ? '' : '\n'}${blocks.join('\n\n')}\n`);
    }
    const left = fitting.length - facts.length;
    if (left > 0)
        context.print(
            left === 1
                ? say`\n… and 1 more that fits; --limit ${fitting.length} explains all\n`
                : say`\n… and ${countText(left)} more that fit; --limit ${fitting.length} explains all\n`,
        );
    if (!job.inWords) return EXIT.fine;
    return tellInWords(nodes, words => namesAmong(database, words), job, context);
}

function printJson(value: unknown, context: JobContext): void {
    printText(jsonText(value), context);
}

function jsonText(value: unknown): string {
    return JSON.stringify(value, undefined, 2);
}

function printText(json: string, { print, streams }: JobContext): void {
    print(`${streams.outputWidth === undefined ? json : visibleJson(json)}\n`);
}

/** Rows between two looks at whether the job may go on. */
const LABELLED = 4096;

/** Labels as the listing of all outputs gives them. */
function stableLabels(database: Database, checkpoint: () => void): NullLabel {
    const label = nullLabels(database.dictionary);
    if (!database.dictionary.hasNulls) return label;
    for (const key of database.program.outputs) {
        const { count, columns, at } = listPredicate(database, key);
        for (let row = 0; row < count; row++) {
            if (row % LABELLED === 0) checkpoint();
            for (let column = 0; column < columns.length; column++) if (database.dictionary.isNull(at(row, column))) label(at(row, column));
        }
    }
    return label;
}

/** The facts that fit but for the label of a null, which says nothing about rules. */
function sayOthers(question: string, near: readonly FactRow[], database: Database, label: NullLabel, context: JobContext): void {
    context.say(say`${question} is not derived\n`);
    const texts = near.flatMap(fact => {
        const predicate = database.program.predicates.get(fact.predicate);
        return predicate === undefined ? [] : [factText(database.dictionary, predicate, valuesOf(database, fact), label)];
    });
    if (texts.length > 0) context.say(say`Facts like it:\n${texts.map(text => `  ${text}\n`).join('')}`);
}
