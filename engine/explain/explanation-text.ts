import type { DerivationNode, FactNode, GroupNode, PremiseNode } from './explanation.ts';

/**
 * The plain-words form of an explanation (11.3): premises depth first, left to right, each step as
 * `since P1 and P2, then F`. A premise that was the conclusion just before is not repeated.
 */
export function explanationText(explanation: FactNode): string {
    const steps: string[] = [];
    let previous: string | undefined;
    const told = new Set<string>();
    const tell = (node: PremiseNode): void => {
        const premises = premisesOf(node);
        if (premises.length === 0 || (node.kind === 'fact' && told.has(node.fact))) return;
        if (node.kind === 'fact') told.add(node.fact);
        premises.forEach(tell);
        const stated = premises.map(premise => premise.verbalization).filter(premise => premise !== previous);
        steps.push(`${stated.length === 0 ? '' : `since ${stated.join(' and ')}, `}then ${node.verbalization}`);
        previous = node.verbalization;
    };
    tell(explanation);
    return steps.length === 0 ? `${explanation.verbalization}.` : `${steps.join(', and ')}.`;
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

/** One JSON tree per derivation of the fact; the premises are explained by their first derivation. */
export function explanationTrees(explanation: FactNode): ExplanationJson[] {
    if (explanation.derivations.length === 0) return [factJson(explanation, [])];
    return explanation.derivations.map(derivation => derivedJson(explanation, derivation, []));
}

function factJson(node: FactNode, path: readonly string[]): ExplanationJson {
    const derivation = node.derivations[0];
    if (derivation === undefined || path.includes(node.fact)) return { fact: node.fact, verbalization: node.verbalization };
    return derivedJson(node, derivation, path);
}

function derivedJson(node: FactNode, derivation: DerivationNode, path: readonly string[]): ExplanationJson {
    const below = [...path, node.fact];
    return {
        fact: node.fact,
        verbalization: node.verbalization,
        rule: derivation.rule,
        provenances: derivation.premises.map(premise =>
            premise.kind === 'fact' ? factJson(premise, below) : groupJson(premise, derivation.rule, below),
        ),
    };
}

function groupJson(group: GroupNode, rule: string, path: readonly string[]): ExplanationJson {
    const premises = distinct(group.contributions.flatMap(contribution => contribution.premises));
    const provenances = premises.map(premise => (premise.kind === 'fact' ? factJson(premise, path) : groupJson(premise, rule, path)));
    return { fact: group.fact, verbalization: group.verbalization, rule, provenances };
}

function distinct(premises: readonly PremiseNode[]): PremiseNode[] {
    return [...new Map(premises.map(premise => [premise.fact, premise])).values()];
}
