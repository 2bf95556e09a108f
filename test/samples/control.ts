import { type Facts, readTable } from './tables.ts';

/** Company control by its definition: for each owner, add companies to its group until no further one has a majority. */
export function control(majority = 50): Facts {
    const country = new Map(readTable('control', 'companies.csv').map(([name = '', where = '']) => [name, where]));
    const stakes = readTable('control', 'ownership.csv')
        .map(([owner = '', company = '', percent]) => ({ owner, company, percent: Number(percent) }))
        .filter(({ owner, company }) => owner !== company);
    const groups = new Map([...new Set(stakes.map(({ owner }) => owner))].map(owner => [owner, controlledBy(owner)]));
    const controlled = new Set([...groups.values()].flatMap(group => [...group]));
    const heads = [...groups].filter(([owner, group]) => group.size > 0 && !controlled.has(owner));
    return {
        group: heads.map(([head, group]) => [head, group.size, new Set([...group].map(company => country.get(company))).size]),
        joint: heads.flatMap(([head, group]) =>
            [...group]
                .map(company => ({ company, held: stakesIn(company, head, group).map(({ percent }) => percent) }))
                .filter(({ held }) => held.every(percent => percent <= majority))
                .map(({ company, held }) => [head, company, country.get(company) ?? '', total(held), held.length]),
        ),
    };

    function controlledBy(owner: string): Set<string> {
        const group = new Set<string>();
        for (let size = -1; size < group.size; ) {
            size = group.size;
            for (const company of country.keys()) {
                const held = stakesIn(company, owner, group).map(({ percent }) => percent);
                if (company !== owner && total(held) > majority) group.add(company);
            }
        }
        return group;
    }

    function stakesIn(company: string, owner: string, group: ReadonlySet<string>): typeof stakes {
        return stakes.filter(stake => stake.company === company && (stake.owner === owner || group.has(stake.owner)));
    }
}

function total(numbers: readonly number[]): number {
    return numbers.reduce((sum, number) => sum + number, 0);
}
