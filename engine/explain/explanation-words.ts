import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { isSameRule } from './chain.ts';
import { type DerivationNode, type FactNode, hasLostReasons } from './explanation.ts';
import { enumerated, groupStep } from './group-words.ts';

/** Steps of an explanation that are told. */
const TOLD = 12;
/** Steps by one rule that are told in one sentence. */
const ALIKE = 3;

/** What a fact follows from. */
export interface Step {
    readonly conclusion: FactNode;
    readonly derivation: DerivationNode;
    /** The facts that it rests on, of large groups a few. */
    readonly premises: readonly FactNode[];
    /** What the conclusion follows from, where that is no more than the premises and what is absent. */
    readonly reasons?: (name: Name) => string;
    /** A sentence without its dot; with a number the conclusion has been named before, with that. */
    readonly sentence: (name: Name, number?: number) => string;
}

/** What a fact is called: in words when it is named first, by its number after that. */
export type Name = (fact: FactNode) => string;

/**
 * The explanation as a person tells it: the fact first, with what it follows from, then a sentence for each of its premises that follows
 * from others, which numbers stand for. Every fact is named in words once. If the whole is too long to be read, its last steps alone, and where to
 * find `more`.
 */
export function explanationWords(explanation: FactNode, more = say`Open the premises to see what they rest on.`): string {
    if (hasLostReasons(explanation)) return say`${wordsOf(explanation)}, which no rule gives with the final values.`;
    const { steps, isCut } = lastSteps(explanation);
    if (steps.size === 0) {
        const words = wordsOf(explanation);
        if (isSentence(explanation)) return `${words}.`;
        if (explanation.origin !== undefined) return say`${words} is given.`;
        return explanation.derivations.length === 0 ? `${words}.` : say`${words} holds, since its rule needs no facts.`;
    }
    const mentioned = new Map<string, number>();
    tell(explanation, steps, ({ fact }) => {
        mentioned.set(fact, (mentioned.get(fact) ?? 0) + 1);
        return '';
    });
    const names = new Names(explanation, steps, mentioned, isCut);
    const lines = tell(explanation, steps, names.of, names).map(line => `${line}.`);
    if (isCut)
        lines.push(
            say`These are the last ${countText(steps.size)} steps of a longer explanation; (…) stands behind what rests on others. ${more}`,
        );
    return lines.join('\n');
}

/** What a fact is called where it is named in words. */
function wordsOf({ verbalization, named }: FactNode): string {
    return named ?? verbalization;
}

/** Whether the words of a fact say something by themselves, as descriptions do. */
export function isSentence(fact: FactNode): boolean {
    const words = wordsOf(fact);
    return words !== fact.fact && (fact.named === undefined || !words.endsWith(')'));
}

/** The steps by their conclusions, from the last one up to those that are so far away from it that they would be too many. */
function lastSteps(explanation: FactNode): { readonly steps: ReadonlyMap<string, Step>; readonly isCut: boolean } {
    const steps = new Map<string, Step>();
    for (let level = [explanation]; level.length > 0; ) {
        const before = steps.size;
        const next: Step[] = [];
        for (const node of level) {
            const step = steps.has(node.fact) ? undefined : stepTo(node);
            if (step === undefined) continue;
            steps.set(node.fact, step);
            next.push(step);
            if (before > 0 && steps.size > TOLD) return { steps: new Map([...steps].slice(0, before)), isCut: true };
        }
        level = next.flatMap(({ premises }) => premises);
    }
    return { steps, isCut: false };
}

function stepTo(conclusion: FactNode): Step | undefined {
    const [derivation] = conclusion.derivations;
    if (derivation === undefined) return undefined;
    const { premises, absent = [] } = derivation;
    const group = premises.find(premise => premise.kind === 'group');
    if (group !== undefined) return groupStep(conclusion, derivation, group, absent);
    if (premises.length + absent.length === 0) return undefined;
    const facts = [...new Map(premises.flatMap(one => (one.kind === 'fact' ? [[one.fact, one] as const] : []))).values()];
    return plainStep(conclusion, derivation, facts, absent);
}

/** What came after the conclusion stands at the end and says so. */
export function plainStep(
    conclusion: FactNode,
    derivation: DerivationNode,
    premises: readonly FactNode[],
    absent: readonly string[],
): Step {
    const ordered = [...premises.filter(({ deferred }) => !deferred), ...premises.filter(({ deferred }) => deferred)];
    const reasons = (name: Name): string => {
        const texts = ordered.map(fact => (fact.deferred ? say`later ${name(fact)}` : name(fact)));
        const lacking = absent.map(text => say`there is no ${text}`);
        const now = ordered.filter(({ deferred }) => !deferred).length;
        return enumerated(counted([...texts.slice(0, now), ...lacking, ...texts.slice(now)]));
    };
    return {
        conclusion,
        derivation,
        premises,
        reasons,
        sentence: (name, number) =>
            number === undefined && isSentence(conclusion)
                ? say`${name(conclusion)}, because ${reasons(name)}`
                : say`${number === undefined ? name(conclusion) : `(${number})`} holds because ${reasons(name)}`,
    };
}

/** Texts that are there several times once, with their number. */
function counted(texts: readonly string[]): string[] {
    const counts = new Map<string, number>();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    return [...counts].map(([text, count]) => (count === 1 ? text : say`${text} (${countText(count)} times)`));
}

/** The sentences: that of the fact, then those of the premises in the order in which they are named. */
function tell(explanation: FactNode, steps: ReadonlyMap<string, Step>, name: Name, names?: Names): string[] {
    const sentences: string[] = [];
    const waiting = [explanation.fact];
    const seen = new Set(waiting);
    const enter = ({ premises }: Step): void => {
        for (const { fact } of premises) {
            if (seen.has(fact) || !steps.has(fact)) continue;
            seen.add(fact);
            waiting.push(fact);
        }
    };
    let before: Step | undefined;
    for (let fact = waiting.shift(); fact !== undefined; fact = waiting.shift()) {
        const step = steps.get(fact)!;
        const number = fact === explanation.fact ? undefined : (names?.numberOf(step.conclusion) ?? 0);
        const alike = before === undefined ? [] : (names?.alike(before, step) ?? []);
        if (names !== undefined && number !== undefined && alike.length >= ALIKE) {
            for (const { conclusion } of alike) seen.add(conclusion.fact);
            sentences.push(names.inOne(alike, number));
            enter(alike.at(-1)!);
            before = undefined;
            continue;
        }
        sentences.push(step.sentence(name, number));
        enter(step);
        before = step;
    }
    return sentences;
}

/** Names facts in words once, and gives numbers to those that are spoken of again. */
class Names {
    readonly #root: FactNode;
    readonly #steps: ReadonlyMap<string, Step>;
    /** How often each fact is spoken of. */
    readonly #mentioned: ReadonlyMap<string, number>;
    readonly #isCut: boolean;
    readonly #numbers = new Map<string, number>();
    readonly #named = new Set<string>();
    /** Facts that are told of in the sentence that names them. */
    readonly #passing = new Set<string>();

    constructor(root: FactNode, steps: ReadonlyMap<string, Step>, mentioned: ReadonlyMap<string, number>, isCut: boolean) {
        this.#root = root;
        this.#steps = steps;
        this.#mentioned = mentioned;
        this.#isCut = isCut;
    }

    readonly of: Name = node => {
        const { fact } = node;
        const isRoot = fact === this.#root.fact;
        if (this.#named.has(fact)) return isRoot ? say`the fact itself` : `(${this.numberOf(node)})`;
        this.#named.add(fact);
        const words = wordsOf(node);
        if (isRoot || this.#passing.has(fact)) return words;
        if (this.#steps.has(fact) || this.#mentioned.get(fact) !== 1) return `${words} (${this.numberOf(node)})`;
        return this.#isCut && stepTo(node) !== undefined ? `${words} (…)` : words;
    };

    numberOf({ fact }: FactNode): number {
        const number = this.#numbers.get(fact) ?? this.#numbers.size + 1;
        this.#numbers.set(fact, number);
        return number;
    }

    /** The steps by one rule that lead to `first`, each the only one that the one before rests on. */
    alike(before: Step, first: Step): Step[] {
        const alike: Step[] = [];
        for (let last = before, step: Step | undefined = first; step !== undefined; ) {
            const isAlike = step.reasons !== undefined && isSameRule(last.derivation, step.derivation) && this.#isOnlyStep(last, step);
            if (!isAlike) break;
            alike.push(step);
            last = step;
            step = last.premises.map(({ fact }) => this.#steps.get(fact)).find(one => one !== undefined);
        }
        return alike;
    }

    inOne(alike: readonly Step[], number: number): string {
        for (const { conclusion } of alike.slice(1)) this.#passing.add(conclusion.fact);
        const reasons = alike.map(({ reasons }) => reasons?.(this.of));
        return say`(${number}) follows in the same way, in ${countText(alike.length)} steps: from ${reasons.join(say`; that from `)}`;
    }

    #isOnlyStep({ premises }: Step, { conclusion }: Step): boolean {
        return (
            this.#mentioned.get(conclusion.fact) === 1 && premises.every(({ fact }) => fact === conclusion.fact || !this.#steps.has(fact))
        );
    }
}
