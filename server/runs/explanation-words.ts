import type { DerivationNode, FactNode, PremiseNode } from '#engine/explain/explanation.ts';
import { explanationText } from '#engine/explain/explanation-text.ts';

/** Facts that the plain words of an explanation go through. */
const TOLD = 200;

/** The explanation in plain words: of its last step alone, and where to find `more`, if the whole is too long to be read. */
export function explanationWords(node: FactNode, more = 'Open the premises to see why they hold.'): string {
    return isShort(node) ? explanationText(node) : `${explanationText(lastStep(node))} ${more}`;
}

function isShort(explanation: FactNode): boolean {
    const seen = new Set<PremiseNode>([explanation]);
    for (const node of seen) {
        if (seen.size > TOLD) return false;
        const derivations = node.kind === 'group' ? node.contributions : node.derivations.slice(0, 1);
        for (const derivation of derivations) {
            for (const premise of derivation.premises) {
                seen.add(premise);
                if (seen.size > TOLD) return false;
            }
        }
    }
    return true;
}

function lastStep(node: FactNode): FactNode {
    const closed = (premise: PremiseNode): PremiseNode =>
        premise.kind === 'group'
            ? { ...premise, contributions: premise.contributions.slice(0, TOLD).map(step) }
            : { ...baseOf(premise), derivations: [] };
    const step = (derivation: DerivationNode): DerivationNode => ({
        ...derivation,
        premises: derivation.premises.slice(0, TOLD).map(closed),
    });
    return { ...baseOf(node), derivations: node.derivations.slice(0, 1).map(step) };
}

function baseOf({ kind, row, fact, verbalization, deferred, asMatched }: FactNode): Omit<FactNode, 'derivations'> {
    return { kind, row, fact, verbalization, deferred, ...(asMatched === undefined ? {} : { asMatched }) };
}
