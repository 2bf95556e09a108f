import { type Facts, readTable } from './tables.ts';

/** A breadth-first walk from each suspect towards the packages that require it. */
export function audit(suspectName = 'vscode-jsonrpc'): Facts {
    const packages = readTable('audit', 'packages.csv').map(([id = '', name = '', , use = '']) => ({ id, name, use }));
    const edges = readTable('audit', 'dependencies.csv').map(([from = '', to = '']) => ({ from, to }));
    const use = new Map(packages.map(entry => [entry.id, entry.use]));
    const required = new Set(edges.map(({ to }) => to));
    const project = [...new Set(edges.map(({ from }) => from))].filter(id => !required.has(id));
    const affected: [string, string, number][] = [];
    for (const { id: suspect } of packages.filter(({ name }) => name === suspectName)) {
        const seen = new Set<string>();
        for (let level = [suspect], steps = 1; level.length > 0; steps++) {
            level = [...new Set(edges.filter(({ to }) => level.includes(to)).map(({ from }) => from))].filter(id => !seen.has(id));
            for (const id of level) {
                seen.add(id);
                affected.push([id, suspect, steps]);
            }
        }
    }
    const suspects = packages.filter(({ name }) => name === suspectName).map(({ id }) => id);
    const direct = edges.filter(({ from }) => project.includes(from)).map(({ to }) => to);
    return {
        affected,
        comes_in_by: direct.flatMap(dependency => [
            ...affected.filter(([id]) => id === dependency).map(([, suspect]) => [dependency, suspect, use.get(dependency) ?? '']),
            ...suspects.filter(suspect => suspect === dependency).map(suspect => [dependency, suspect, use.get(dependency) ?? '']),
        ]),
    };
}
