import type { DerivationNode, FactNode, Origin, PremiseNode } from './explanation.ts';

export interface TreeOptions {
    /** `control.rulelang:4` for the place of a rule or of a base fact. */
    readonly place: (origin: Origin) => string;
    /** Facts drawn at most; the rest is summed up in a last line. */
    readonly limit: number;
}

/** The explanation as lines with indent guides, for a terminal. A fact that is explained above is not explained again. */
export function explanationTree(explanation: FactNode, options: TreeOptions): string[] {
    const lines: string[] = [];
    const drawn = new Set<string>();
    let facts = 0;
    let left = 0;

    const draw = (node: PremiseNode, head: string, below: string): void => {
        if (facts === options.limit) {
            left++;
            return;
        }
        facts++;
        if (node.kind === 'group') {
            const count = node.contributions.length;
            lines.push(`${head}${node.verbalization} (${count})`);
            const premises = [...new Set(node.contributions.flatMap(contribution => contribution.premises))];
            drawAll(premises, below);
            return;
        }
        const seen = drawn.has(node.fact) && node.derivations.length > 0;
        const origin = node.origin === undefined ? '' : `  ${options.place(node.origin)}`;
        const remark = seen ? '  (explained above)' : node.deferred ? '  (came later)' : '';
        lines.push(`${head}${node.fact}${origin}${remark}`);
        if (seen) return;
        drawn.add(node.fact);
        node.derivations.forEach((derivation, index) => {
            const alternative = node.derivations.length > 1 ? `derivation ${index + 1} of ${node.derivations.length}: ` : '';
            lines.push(
                `${below}${derivation.premises.length > 0 ? '│' : ' '} ${alternative}${derivation.rule}  ${options.place(ruleOrigin(derivation))}`,
            );
            drawAll(derivation.premises, below);
        });
    };

    const drawAll = (premises: readonly PremiseNode[], below: string): void => {
        premises.forEach((premise, index) => {
            const last = index === premises.length - 1;
            draw(premise, `${below}${last ? '└─ ' : '├─ '}`, `${below}${last ? '   ' : '│  '}`);
        });
    };

    draw(explanation, '', '');
    if (left > 0) lines.push(`… and ${left} more below these`);
    return lines;
}

function ruleOrigin({ place, span }: DerivationNode): Origin {
    return { kind: 'clause', place, span };
}
