import { expect } from 'vitest';
import type { FactNode, GroupNode, PremiseNode } from '#engine/explain/explanation.ts';
import { explanationWords } from '#engine/explain/explanation-words.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import { append } from '#language/program/append.ts';

/** Contributions that are told of a group in any case. */
const FEW = 6;

/**
 * Checks the words of an explanation: each fact that the steps rest on is named once, and no other one more than once; where the words say
 * that something is left out, facts may lack.
 */
export function expectWords(explanation: FactNode): void {
    const words = explanationWords(explanation);
    expect(words).toMatch(/\.$/u);
    expect(words).not.toMatch(/\bsince\b.*\bthen\b/su);
    const facts = new Map<string, FactNode>();
    const needed = new Set<string>();
    collect(explanation, facts, needed);
    const isCut = words.includes('(…)') || / \d+ more\b/u.test(words);
    const named = timesNamed(explanation, facts, words);
    const byName = new Map<string, FactNode[]>();
    for (const node of facts.values()) append(byName, node.named ?? node.verbalization, node);
    for (const [name, nodes] of byName) {
        const times = named.get(name) ?? 0;
        const least = isCut ? 0 : nodes.filter(({ fact }) => needed.has(fact)).length;
        if (times < least || times > nodes.length)
            throw new Error(`${name} stands ${times} times, not ${least} to ${nodes.length}, in:\n${words}`);
    }
}

/** The facts of the first derivations, and which of them a step rests on. */
function collect(root: FactNode, facts: Map<string, FactNode>, needed: Set<string>): void {
    const open: { readonly node: PremiseNode; readonly isNeeded: boolean }[] = [{ node: root, isNeeded: true }];
    const seen = new Set<PremiseNode>();
    const told = new Set<string>();
    // The list grows while it is gone over.
    for (const next of open) {
        const { node } = next;
        if (node.kind === 'group') {
            const used = contributionsOf(node);
            for (const one of node.contributions)
                for (const premise of one.premises) open.push({ node: premise, isNeeded: next.isNeeded && used.has(one) });
            continue;
        }
        if (next.isNeeded) needed.add(node.fact);
        const isTold = next.isNeeded && !told.has(node.fact);
        if (seen.has(node) && !isTold) continue;
        seen.add(node);
        if (isTold) told.add(node.fact);
        facts.set(node.fact, node);
        for (const premise of node.derivations[0]?.premises ?? []) open.push({ node: premise, isNeeded: isTold });
    }
}

/** Those that a result rests on: all, or the only one that is the result. */
function contributionsOf({ contributions, results }: GroupNode): ReadonlySet<object> {
    const aggregates = results?.columns.flatMap(column => column.aggregates) ?? [];
    if (contributions.length > FEW) return new Set();
    if (aggregates.length === 0) return new Set(contributions);
    const used = aggregates.flatMap(({ family, kept }) => {
        const chosen = AGGREGATES[family].chooses === 'one' ? kept.filter(({ isResult }) => isResult) : kept;
        return AGGREGATES[family].chooses === 'one' && chosen.length > 1 ? [] : chosen;
    });
    return new Set(used.map(({ contribution }) => contribution));
}

/** How often each text stands in the words, the longest first: what is part of another is not counted. */
function timesNamed(explanation: FactNode, facts: ReadonlyMap<string, FactNode>, words: string): Map<string, number> {
    const group = explanation.derivations[0]?.premises.find(one => one.kind === 'group');
    const names = [...new Set([...facts.values()].map(({ named, verbalization }) => named ?? verbalization))];
    const times = new Map<string, number>();
    let left = words;
    for (const name of names.sort((one, other) => other.length - one.length)) {
        if (!left.includes(name)) continue;
        const escaped = name.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
        left = left.replace(
            new RegExp(`(?<![\\p{L}\\p{N}_:"])${escaped}(?![\\p{L}\\p{N}_"])(?: \\(([\\d,]+) times\\))?`, 'gu'),
            (_, count) => {
                times.set(name, (times.get(name) ?? 0) + Number(count ?? 1));
                return '·';
            },
        );
    }
    const own = explanation.named ?? explanation.verbalization;
    if (group?.kind === 'group' && !times.has(own) && left.startsWith(`${group.results?.key} is `)) times.set(own, 1);
    return times;
}
