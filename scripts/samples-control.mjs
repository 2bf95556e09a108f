import { csv, seeded } from './samples-data.mjs';

const PLACES = `Alder Brack Cinder Dunmore Elmsworth Farrow Garrick Hollin Ivarsund Jessop Kestrel Lorne Marram Norrvik Orlen Pellam
    Quarrow Rowan Selwick Tarn Ulverby Vesper Wexcombe Yarrow Zeller Ashgrove Birkdal Corvane Drommen Eskmouth`.split(/\s+/u);
const SECTORS = ['Shipping', 'Steel', 'Foods', 'Energy', 'Paper', 'Textiles', 'Insurance', 'Optics', 'Timber', 'Glass', 'Cement', 'Press'];
const FORMS = [
    ['DE', 'GmbH'],
    ['FR', 'SA'],
    ['GB', 'Ltd'],
    ['IT', 'SpA'],
    ['NL', 'BV'],
    ['SE', 'AB'],
];
const OWNERS = [
    'Marlowe family',
    'Ostby Foundation',
    'Ines Caldera',
    'Brunner & Sons',
    'Tessaly Trust',
    'Hugo Lindqvist',
    'Corran Partners',
    'Adele Fontaine',
];
const INVESTORS = ['Northgate Pension Fund', 'Halden Index Fund', 'Seabright Capital', 'Verity Growth Fund'];
const COMPANIES = 120;

/** Companies and their owners: pyramids below eight owners, with majorities, pooled stakes, cross-holdings and own shares. */
export function controlData() {
    const next = seeded(5);
    const companies = names(next);
    const groups = OWNERS.map(owner => ({ owner, companies: [] }));
    const stakes = [];
    for (const [name] of companies) {
        const group = next.of(groups);
        const inside = [group.owner, ...group.companies];
        const kind = next();
        let left = 100;
        const add = (owner, percent) => {
            if (percent < 1 || stakes.some(stake => stake[0] === owner && stake[1] === name)) return;
            stakes.push([owner, name, percent]);
            left -= percent;
        };
        if (kind < 0.35) add(next.of(inside), 51 + next.int(50));
        else if (kind < 0.85) for (const [holder, part] of pooled(next, pick(next, inside, 2 + next.int(2)))) add(holder, part);
        else for (const other of pick(next, groups, 2)) add(other.companies.at(-1) ?? other.owner, 12 + next.int(30));
        if (group.companies.length > 0 && left > 5 && next() < 0.08) add(name, 2 + next.int(4));
        for (const investor of pick(next, INVESTORS, 1 + next.int(2))) {
            if (left > 2) add(investor, 1 + next.int(Math.min(left - 1, 35)));
        }
        group.companies.push(name);
    }
    addCrossHoldings(next, groups, stakes);
    return {
        'companies.csv': csv(['name', 'country', 'sector'], companies),
        'ownership.csv': csv(['owner', 'company', 'percent'], stakes),
    };
}

function names(next) {
    const seen = new Set();
    const companies = [];
    while (companies.length < COMPANIES) {
        const sector = next.of(SECTORS);
        const [country, form] = next.of(FORMS);
        const name = `${next.of(PLACES)} ${sector} ${form}`;
        if (seen.has(name)) continue;
        seen.add(name);
        companies.push([name, country, sector.toLowerCase()]);
    }
    return companies;
}

/** A stake for each holder: at most half each and a majority together, or a majority for a single holder. */
function pooled(next, holders) {
    const total = 51 + next.int(30);
    if (holders.length === 1) return [[holders[0], total]];
    const first = Math.min(50, Math.floor(total / holders.length) + next.int(8));
    const rest = holders.length === 2 ? [total - first] : [Math.floor((total - first) / 2), Math.ceil((total - first) / 2)];
    return [first, ...rest].map((part, index) => [holders[index], part]);
}

function pick(next, items, count) {
    const rest = [...items];
    return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(next.int(rest.length), 1)[0]);
}

/** A company low in a pyramid holds a little of one above it: control has to stop at such cycles. */
function addCrossHoldings(next, groups, stakes) {
    for (const { companies } of groups) {
        if (companies.length < 4) continue;
        const above = companies[next.int(2)];
        const sold = stakes.filter(stake => stake[1] === above).reduce((sum, stake) => sum + stake[2], 0);
        if (sold < 97) stakes.push([companies.at(-1), above, Math.min(100 - sold, 3 + next.int(9))]);
    }
}
