import { say } from '#language/program/say.ts';
import { type FactNode, hasLostReasons } from './explanation.ts';
import { groupStep } from './group-words.ts';

/** Steps of an explanation that are told. */
const TOLD = 12;

/** What a fact follows from. */
export interface Step {
    readonly conclusion: FactNode;
    /** The facts that it rests on, of large groups a few. */
    readonly premises: readonly FactNode[];
    /** What it asks not to be there. */
    readonly absent: readonly string[];
    /** What is said of the conclusion. */
    readonly words: string;
    /** The words say what a result is made of, and stand by themselves: they tell all that it follows `from`, or what it is made of `since` its premises. */
    readonly result?: 'from' | 'since';
}

/**
 * The explanation as a person tells it: premises depth first, each step as `since P1 and P2, then F`, and results of aggregates by what
 * they are made of, each on a line of its own. If the whole is too long to be read, its last steps alone, and where to find `more`.
 */
export function explanationWords(explanation: FactNode, more = say`Open the premises to see what they rest on.`): string {
    if (hasLostReasons(explanation)) return say`${explanation.verbalization}, which no rule gives with the final values.`;
    const { steps, isCut } = lastSteps(explanation);
    if (steps.size === 0) return `${explanation.verbalization}.`;
    return `${told(inOrder(explanation, steps))}${isCut ? `\n${more}` : ''}`;
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

/** Premises before conclusions. */
function inOrder(explanation: FactNode, steps: ReadonlyMap<string, Step>): Step[] {
    const ordered: Step[] = [];
    const visited = new Set<Step>();
    const visit = ({ fact }: FactNode): void => {
        const step = steps.get(fact);
        if (step === undefined || visited.has(step)) return;
        visited.add(step);
        step.premises.forEach(visit);
        ordered.push(step);
    };
    visit(explanation);
    return ordered;
}

function stepTo(conclusion: FactNode): Step | undefined {
    const [derivation] = conclusion.derivations;
    if (derivation === undefined) return undefined;
    const { premises, absent = [] } = derivation;
    const group = premises.find(premise => premise.kind === 'group');
    if (group !== undefined) return groupStep(conclusion, group, absent);
    if (premises.length + absent.length === 0) return undefined;
    const facts = premises.filter(premise => premise.kind === 'fact');
    return { conclusion, premises: facts, absent, words: conclusion.verbalization };
}

function told(steps: readonly Step[]): string {
    const lines: string[] = [];
    const line: string[] = [];
    let previous: string | undefined;
    for (const step of steps) {
        if (step.result === 'from' && line.length > 0) lines.push(line.splice(0).join(say`, and `));
        line.push(
            step.result === 'from' ? step.words : `${since(step, line.length === 0 ? undefined : previous)}${say`then ${step.words}`}`,
        );
        previous = step.conclusion.fact;
        if (step.result !== undefined) lines.push(line.splice(0).join(say`, and `));
    }
    if (line.length > 0) lines.push(line.join(say`, and `));
    return lines.map(text => `${text}.`).join('\n');
}

/** What came after the conclusion stands at the end and says so; what was concluded just before is not repeated. */
function since({ premises, absent }: Step, previous: string | undefined): string {
    const stated = premises.filter(({ fact }) => fact !== previous);
    const texts = [
        ...stated.filter(({ deferred }) => !deferred).map(({ verbalization }) => verbalization),
        ...absent.map(text => say`no ${text}`),
        ...stated.filter(({ deferred }) => deferred).map(({ verbalization }) => say`later ${verbalization}`),
    ];
    return texts.length === 0 ? '' : say`since ${texts.join(say` and `)}, `;
}
