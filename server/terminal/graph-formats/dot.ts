import type { Dependency, DependencyNode, DependencyView } from '#language/editing/dependency-view.ts';
import { say } from '#language/program/say.ts';
import { visible } from '#server/notices/visible-text.ts';
import { strataOf } from './strata.ts';

/** The graph in the language of Graphviz; an arrow leads from a predicate to one that is derived from it. */
export function dotGraph(view: DependencyView): string {
    const ids = new Map(view.predicates.map(({ key }, i) => [key, `p${i}`]));
    const id = (key: DependencyNode['key']): string => ids.get(key) ?? '';
    const lines = [
        'digraph dependencies {',
        '  rankdir=TB;',
        '  node [shape=box, style=rounded, fontname="Helvetica"];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ];
    for (const { stratum, predicates } of strataOf(view)) {
        lines.push(`  subgraph cluster_${stratum} {`, `    label="${escaped(say`Stratum ${stratum}`)}"; color=gray; fontname="Helvetica";`);
        for (const node of predicates) lines.push(`    ${id(node.key)} [${nodeAttributes(node)}];`);
        lines.push('  }');
    }
    for (const edge of view.edges) lines.push(`  ${id(edge.needs)} -> ${id(edge.predicate)}${edgeAttributes(edge)};`);
    return `${[...lines, '}'].join('\n')}\n`;
}

function nodeAttributes({ name, arity, input, output, recursive }: DependencyNode): string {
    const marks = [...(input ? [say`input`] : []), ...(output ? [say`output`] : [])];
    const label = [`${name}/${arity}`, ...(marks.length > 0 ? [`(${marks.join(', ')})`] : [])].map(escaped).join('\\n');
    const attributes = [`label="${label}"`];
    if (recursive) attributes.push('peripheries=2');
    if (output) attributes.push('penwidth=2');
    if (input) attributes.push('shape=cylinder');
    return attributes.join(', ');
}

function edgeAttributes({ kind, recursive, forbidden }: Dependency): string {
    const attributes: string[] = [];
    if (kind === 'negated') attributes.push('style=dashed', 'label="not"', 'arrowhead=odot');
    if (kind === 'aggregated') attributes.push(`label="${escaped(say`aggregate`)}"`, 'arrowhead=diamond');
    if (recursive) attributes.push('color=blue');
    if (forbidden) attributes.push('color=red', 'penwidth=2');
    return attributes.length === 0 ? '' : ` [${attributes.join(', ')}]`;
}

function escaped(text: string): string {
    return visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
