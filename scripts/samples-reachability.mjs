import { csv, seeded } from './samples-data.mjs';

const REGIONS = {
    'Outer Skerries': ['Aldersund', 'Brimvik', 'Cormholm', 'Dranby', 'Eskholm', 'Fallow Bay'],
    Sound: ['Grenhaven', 'Hestvik', 'Ingersund', 'Jarlby', 'Kelpness', 'Lundhamn', 'Morvik'],
    'Southern Isles': ['Nessby', 'Osterholm', 'Pellhaven', 'Quillan', 'Ravensey'],
};
/** Crossings between the regions: one both ways, one for the outward journey only. */
const TRUNK = [
    ['Grenhaven', 'Aldersund', 95],
    ['Aldersund', 'Grenhaven', 95],
    ['Lundhamn', 'Nessby', 140],
];

/** Ports in three regions and direct crossings between them, some of them in one direction only. */
export function reachabilityData() {
    const next = seeded(7);
    const ports = Object.entries(REGIONS).flatMap(([region, names]) => names.map(name => [name, region]));
    const crossings = [...TRUNK];
    for (const names of Object.values(REGIONS)) {
        for (const [index, name] of names.entries()) {
            if (index === 0) continue;
            const other = names[Math.max(0, index - 1 - next.int(2))];
            const minutes = 15 + 5 * next.int(12);
            const kind = next();
            if (kind < 0.93) crossings.push([other, name, minutes]);
            if (kind > 0.15) crossings.push([name, other, minutes]);
        }
    }
    crossings.push(['Fallow Bay', 'Dranby', 30]);
    return {
        'ports.csv': csv(['port', 'region'], ports),
        'crossings.csv': csv(['from', 'to', 'minutes'], crossings),
    };
}
