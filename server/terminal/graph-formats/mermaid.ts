import type { Dependency, DependencyNode, DependencyView } from '#language/editing/dependency-view.ts';
import { say } from '#language/program/say.ts';
import { visible } from '#server/notices/visible-text.ts';
import { strataOf } from './strata.ts';

/** The graph as a Mermaid flowchart; an arrow leads from a predicate to one that is derived from it. */
export function mermaidGraph(view: DependencyView): string {
    const ids = new Map(view.predicates.map(({ key }, i) => [key, `p${i}`]));
    const id = (key: DependencyNode['key']): string => ids.get(key) ?? '';
    const lines = ['flowchart TB'];
    for (const { stratum, predicates } of strataOf(view)) {
        lines.push(`  subgraph s${stratum}["${escaped(say`Stratum ${stratum}`)}"]`);
        for (const node of predicates) lines.push(`    ${id(node.key)}${shapeOf(node)}`);
        lines.push('  end');
    }
    for (const { needs, predicate, kind } of view.edges) lines.push(`  ${id(needs)} ${arrowOf(kind)} ${id(predicate)}`);
    lines.push('  classDef output stroke-width:3px', '  classDef recursive stroke:#1f6feb');
    const members = (name: string, chosen: (node: DependencyNode) => boolean): string[] => {
        const found = view.predicates.filter(chosen).map(({ key }) => id(key));
        return found.length === 0 ? [] : [`  class ${found.join(',')} ${name}`];
    };
    lines.push(...members('output', node => node.output), ...members('recursive', node => node.recursive));
    view.edges.forEach(({ recursive, forbidden }, i) => {
        if (recursive || forbidden) lines.push(`  linkStyle ${i} stroke:${forbidden ? '#d1242f' : '#1f6feb'}`);
    });
    return `${lines.join('\n')}\n`;
}

function arrowOf(kind: Dependency['kind']): string {
    switch (kind) {
        case 'positive':
            return '-->';
        case 'negated':
            return '-. not .->';
        case 'aggregated':
            return `-- ${say`aggregate`} -->`;
    }
}

function shapeOf({ name, arity, input, output, recursive }: DependencyNode): string {
    const marks = [...(input ? [say`input`] : []), ...(output ? [say`output`] : []), ...(recursive ? [say`recursive`] : [])];
    const label = `"${escaped(`${name}/${arity}`)}${marks.length > 0 ? `<br/>${marks.join(', ')}` : ''}"`;
    return input ? `[(${label})]` : `(${label})`;
}

/** Everything but plain names is a character reference. */
function escaped(text: string): string {
    return visible(text).replaceAll(/[^\w/ ]/gu, character => `#${character.codePointAt(0)};`);
}
