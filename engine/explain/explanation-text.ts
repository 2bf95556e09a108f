import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { type DerivationNode, type FactNode, type GroupNode, hasLostReasons, type PremiseNode } from './explanation.ts';

/** What a tree holds at most, and how deep: facts beyond that are listed without provenances, since a tree repeats what it shares. */
const MOST_NODES = 20_000;
const DEEPEST = 1000;

/**
 * The plain-words form of an explanation (11.3): premises depth first, left to right, each step as
 * `since P1 and P2, then F`. A premise that was the conclusion just before is not repeated. After 20,000 steps premises are
 * stated only.
 */
export function explanationText(explanation: FactNode): string {
    const steps: string[] = [];
    let previous: string | undefined;
    const told = new Set<string>();
    const open: { readonly node: PremiseNode; readonly premises: readonly PremiseNode[]; next: number }[] = [];
    const begin = (node: PremiseNode): void => {
        const premises = premisesOf(node);
        if (premises.length === 0 || open.length + steps.length === MOST_NODES || (node.kind === 'fact' && told.has(node.fact))) return;
        if (node.kind === 'fact') told.add(node.fact);
        open.push({ node, premises, next: 0 });
    };
    begin(explanation);
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
        const { node, premises } = last;
        const premise = premises[last.next++];
        if (premise !== undefined) {
            begin(premise);
            continue;
        }
        open.pop();
        const stated = statements(premises).filter(statement => statement !== previous);
        steps.push(
            stated.length === 0 ? say`then ${node.verbalization}` : say`since ${stated.join(say` and `)}, then ${node.verbalization}`,
        );
        previous = node.verbalization;
    }
    if (hasLostReasons(explanation)) return say`${explanation.verbalization}, which no rule gives with the final values.`;
    return steps.length === 0 ? `${explanation.verbalization}.` : `${steps.join(say`, and `)}.`;
}

/** What came after the conclusion stands at the end and says so. */
function statements(premises: readonly PremiseNode[]): string[] {
    const isLater = (premise: PremiseNode): boolean => premise.kind === 'fact' && premise.deferred;
    const later = premises.filter(isLater).map(({ verbalization }) => say`later ${verbalization}`);
    return [...premises.filter(premise => !isLater(premise)).map(({ verbalization }) => verbalization), ...later];
}

/** What the first derivation of a node rests on. */
function premisesOf(node: PremiseNode): readonly PremiseNode[] {
    if (node.kind === 'group') return distinct(node.contributions.flatMap(contribution => contribution.premises));
    return node.derivations[0]?.premises ?? [];
}

/** The JSON form of 11.3; consumers ignore keys they do not know. */
export interface ExplanationJson {
    readonly fact: string;
    readonly verbalization: string;
    readonly rule?: string;
    readonly provenances?: readonly ExplanationJson[];
}

/** Facts that are expanded above, and how many nodes the tree may still get. */
interface Above {
    readonly facts: Set<string>;
    left: number;
}

/** One JSON tree per derivation of the fact; the premises are explained by their first derivation. */
export function explanationTrees(explanation: FactNode): ExplanationJson[] {
    if (explanation.derivations.length === 0) return [factJson(explanation, newTree())];
    return explanation.derivations.map(derivation => derivedJson(explanation, derivation, newTree()));
}

function newTree(): Above {
    return { facts: new Set(), left: MOST_NODES };
}

function factJson(node: FactNode, above: Above): ExplanationJson {
    const isCut = above.left <= 0 || above.facts.size >= DEEPEST || above.facts.has(node.fact);
    const derivation = isCut ? undefined : node.derivations[0];
    if (derivation === undefined) return { fact: node.fact, verbalization: node.verbalization };
    return derivedJson(node, derivation, above);
}

function derivedJson(node: FactNode, derivation: DerivationNode, above: Above): ExplanationJson {
    above.facts.add(node.fact);
    above.left -= derivation.premises.length;
    const provenances = derivation.premises.map(premise =>
        premise.kind === 'fact' ? factJson(premise, above) : groupJson(premise, derivation.rule, above),
    );
    above.facts.delete(node.fact);
    return { fact: node.fact, verbalization: node.verbalization, rule: derivation.rule, provenances };
}

function groupJson(group: GroupNode, rule: string, above: Above): ExplanationJson {
    const premises = distinct(group.contributions.flatMap(contribution => contribution.premises));
    above.left -= premises.length;
    const provenances = premises.map(premise => (premise.kind === 'fact' ? factJson(premise, above) : groupJson(premise, rule, above)));
    const { more = 0 } = group;
    const remark = more === 0 ? '' : say`, and ${countText(more)} more`;
    return { fact: group.fact, verbalization: `${group.verbalization}${remark}`, rule, provenances };
}

function distinct(premises: readonly PremiseNode[]): PremiseNode[] {
    return [...new Map(premises.map(premise => [premise.fact, premise])).values()];
}
