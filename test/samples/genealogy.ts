import { type Facts, readTable } from './tables.ts';

/** Family relations from each person's ancestors at every distance. */
export function genealogy(founder = 'Ada'): Facts {
    const born = new Map(readTable('genealogy', 'people.csv').map(([name = '', day = '']) => [name, day]));
    const parents = new Map<string, string[]>();
    for (const [child = '', parent = ''] of readTable('genealogy', 'parents.csv'))
        parents.set(child, [...(parents.get(child) ?? []), parent]);
    const people = [...born.keys()];
    const pairs = people.flatMap(left => people.filter(right => right !== left).map(right => [left, right] as const));
    const degrees = [1, 2, 3, 4, 5]
        .map(degree => [degree, pairs.filter(([left, right]) => left < right && areCousins(left, right, degree)).length] as const)
        .filter(([, count]) => count > 0);
    return {
        descendant: people.filter(person => generation(person) > 0).map(person => [generation(person), person, born.get(person) ?? '']),
        elder: pairs.filter(([left, right]) => areSiblings(left, right) && (born.get(left) ?? '') < (born.get(right) ?? '')),
        cousins: degrees,
        childless: people.filter(person => parents.has(person) && ![...parents.values()].flat().includes(person)).map(person => [person]),
    };

    function generation(person: string): number {
        for (let level = [person], up = 0; level.length > 0; up++) {
            if (up > 0 && level.includes(founder)) return up;
            level = level.flatMap(parentsOf);
        }
        return 0;
    }

    function parentsOf(person: string): string[] {
        return parents.get(person) ?? [];
    }

    function areSiblings(left: string, right: string): boolean {
        return left !== right && parentsOf(left).some(parent => parentsOf(right).includes(parent));
    }

    function areCousins(left: string, right: string, degree: number): boolean {
        return parentsOf(left).some(up =>
            parentsOf(right).some(other => (degree === 1 ? areSiblings(up, other) : areCousins(up, other, degree - 1))),
        );
    }
}
