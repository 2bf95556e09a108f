import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { CHAIN, type ChainLink, chainLinks } from './chain.ts';
import {
    type ContributionNode,
    type DerivationNode,
    type FactNode,
    type GroupNode,
    hasLostReasons,
    type Origin,
    type PremiseNode,
} from './explanation.ts';
import { groupTitle } from './result-words.ts';

export interface TreeOptions {
    /** `control.rulelang:4` for the place of a rule or of a base fact. */
    readonly place: (origin: Origin) => string;
    /** Facts drawn at most; the rest is summed up in a last line. */
    readonly limit: number;
    /** Facts below one another at most, usually 30: a deeper tree does not fit a screen. */
    readonly depth?: number;
}

const DEEPEST = 30;

/**
 * The explanation as lines with indent guides, for a terminal. A fact that is explained above is not explained again;
 * three dots mark those that rest on facts which are not drawn.
 */
export function explanationTree(explanation: FactNode, options: TreeOptions): string[] {
    const drawing = new Drawing(options);
    drawing.fact(explanation, '', '');
    return drawing.finished();
}

/** Draws one node: `head` stands before its first line, `below` before those that follow. */
type Draw = (head: string, below: string) => void;

class Drawing {
    readonly #options: TreeOptions;
    readonly #deepest: number;
    readonly #lines: string[] = [];
    readonly #drawn = new Set<string>();
    #facts = 0;
    #depth = 0;
    #left = 0;
    #isCut = false;

    constructor(options: TreeOptions) {
        this.#options = options;
        this.#deepest = options.depth ?? DEEPEST;
    }

    finished(): string[] {
        if (this.#left > 0) this.#lines.push(say`… and ${countText(this.#left)} more below these`);
        if (this.#isCut) this.#lines.push(say`… rests on more; explain it by itself`);
        return this.#lines;
    }

    fact(node: FactNode, head: string, below: string, remark = ''): void {
        if (!this.#counts()) return;
        const seen = this.#drawn.has(node.fact) && node.origin === undefined && node.derivations.length > 0;
        const isCut =
            !seen && node.origin === undefined && !node.deferred && (this.#depth === this.#deepest || this.#facts === this.#options.limit);
        this.#lines.push(`${head}${this.#named(node)}${remark}${seen ? say`  (explained above)` : isCut ? '  …' : stateOf(node)}`);
        this.#isCut ||= isCut;
        if (seen || isCut) return;
        this.#drawn.add(node.fact);
        const links = this.#chain(node);
        if (links.length >= CHAIN) {
            this.#links(links, below);
            return;
        }
        this.#depth++;
        node.derivations.forEach((derivation, index) => {
            const alternative = node.derivations.length > 1 ? say`derivation ${index + 1} of ${node.derivations.length}: ` : '';
            this.#derivation(derivation, below, alternative);
        });
        this.#depth--;
    }

    /** The steps of one rule that lead to a fact, last ones first, as many as may be drawn. */
    #chain(node: FactNode): ChainLink[] {
        const links: ChainLink[] = [];
        let room = this.#options.limit - this.#facts;
        for (const link of chainLinks(node)) {
            room -= link.given.length + 1;
            if (room < 0) break;
            links.push(link);
            if (this.#drawn.has(link.next.fact) || this.#depth + links.length === this.#deepest) break;
        }
        return links;
    }

    /** The facts of a chain one below the other, since each rests on the next. */
    #links(links: readonly ChainLink[], below: string): void {
        const [first, ...others] = links;
        const last = links.at(-1);
        if (first === undefined || last === undefined) return;
        this.#lines.push(say`${below}│ ${this.#ruleText(first.derivation)}  (${links.length} times: each fact rests on the next)`);
        const branches = this.#premises({ ...first.derivation, premises: first.given });
        const steps = others.map(({ derivation: { absent = [] }, given }, index): Draw => {
            const { fact } = links[index]!.next;
            const reasons = [...given.map(one => this.#named(one)), ...absent.map(text => say`no ${text}`)].join(say` and `);
            return head => {
                this.#facts += given.length + 1;
                this.#drawn.add(fact);
                this.#lines.push(`${head}${fact}${reasons === '' ? '' : say`  since ${reasons}`}`);
            };
        });
        this.#depth += links.length;
        this.#branches([...branches, ...steps, this.#premise(last.next)], below);
        this.#depth -= links.length;
    }

    /** A given fact with its place. */
    #named({ fact, origin }: FactNode): string {
        return origin === undefined ? fact : `${fact}  ${this.#options.place(origin)}`;
    }

    #derivation(derivation: DerivationNode, below: string, alternative = ''): void {
        const [first] = derivation.premises;
        const branches = branchesOf(derivation);
        // A group that several rules share names the rule of each contribution.
        if (first?.kind !== 'group' || rulesOf(first).size < 2)
            this.#lines.push(`${below}${branches > 0 ? '│' : ' '} ${alternative}${this.#ruleText(derivation)}`);
        else if (alternative !== '') this.#lines.push(`${below}│ ${alternative.trimEnd()}`);
        this.#branches(this.#premises(derivation), below);
    }

    #premises({ premises, absent = [] }: DerivationNode): Draw[] {
        return [
            ...premises.map(premise => this.#premise(premise)),
            ...absent.map(
                (text): Draw =>
                    head =>
                        void this.#lines.push(`${head}${say`no ${text}`}`),
            ),
        ];
    }

    #premise(premise: PremiseNode): Draw {
        return (head, below) => {
            if (premise.kind === 'fact') this.fact(premise, head, below);
            else this.#group(premise, head, below);
        };
    }

    #group(group: GroupNode, head: string, below: string): void {
        if (!this.#counts()) return;
        this.#lines.push(`${head}${groupTitle(group)}`);
        const several = rulesOf(group).size > 1;
        const ordered = [...group.contributions.filter(one => !isLater(one)), ...group.contributions.filter(isLater)];
        const draws = ordered.map(contribution => this.#contribution(contribution, several));
        const { more = 0 } = group;
        if (more > 0) draws.push(before => void this.#lines.push(say`${before}… and ${countText(more)} more`));
        this.#branches(draws, below);
    }

    /** A contribution of one fact is that fact; others say what they give. */
    #contribution(contribution: ContributionNode, namesRule: boolean): Draw {
        const { premises, gives = [] } = contribution;
        const [only] = premises;
        const value = gives.join(say` and `);
        if (only?.kind === 'fact' && branchesOf(contribution) === 1 && (!namesRule || only.origin !== undefined)) {
            const isEvident = gives.every(one => only.fact.includes(one));
            return (head, below) => this.fact(only, head, below, isEvident ? '' : say`  gives ${value}`);
        }
        return (head, below) => {
            if (!this.#counts()) return;
            this.#lines.push(say`${head}${value === '' ? say`one contribution` : value} from`);
            if (namesRule) this.#lines.push(`${below}│ ${this.#ruleText(contribution)}`);
            this.#branches(this.#premises(contribution), below);
        };
    }

    #branches(draws: readonly Draw[], below: string): void {
        draws.forEach((draw, index) => {
            const last = index === draws.length - 1;
            draw(`${below}${last ? '└─ ' : '├─ '}`, `${below}${last ? '   ' : '│  '}`);
        });
    }

    /** Whether one more fact may be drawn. */
    #counts(): boolean {
        if (this.#facts === this.#options.limit) {
            this.#left++;
            return false;
        }
        this.#facts++;
        return true;
    }

    #ruleText({ rule, place, span }: DerivationNode): string {
        return `${rule}  ${this.#options.place({ kind: 'clause', place, span })}`;
    }
}

function stateOf(node: FactNode): string {
    if (node.deferred) return say`  (came later)`;
    return hasLostReasons(node) ? say`  (no rule gives it with the final values)` : '';
}

function branchesOf({ premises, absent = [] }: DerivationNode): number {
    return premises.length + absent.length;
}

function rulesOf({ contributions }: GroupNode): ReadonlySet<string> {
    return new Set(contributions.map(({ place, span }) => `${place.file}:${place.offset}:${span.start}`));
}

function isLater({ premises }: DerivationNode): boolean {
    return premises.some(premise => premise.kind === 'fact' && premise.deferred);
}
