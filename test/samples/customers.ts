import { type Facts, readTable } from './tables.ts';

/** Joins entries that share a mail address or a telephone until none is left to join. */
export function customers(): Facts {
    const entries = readTable('customers', 'entries.csv').map(([entry, , , mail, phone, city]) => ({
        entry: Number(entry),
        contacts: [mail, phone].filter(known),
        city: known(city) ? city : undefined,
    }));
    const orders = readTable('customers', 'orders.csv').map(([, entry, amount]) => ({ entry: Number(entry), amount: Number(amount) }));
    let groups = entries.map(entry => [entry]);
    for (const contact of new Set(entries.flatMap(({ contacts }) => contacts))) {
        const owns = (group: typeof entries): boolean => group.some(({ contacts }) => contacts.includes(contact));
        groups = [...groups.filter(group => !owns(group)), groups.filter(owns).flat()];
    }
    const people = groups.map(group => ({
        members: group.map(({ entry }) => entry).sort((a, b) => a - b),
        city: group.find(({ city }) => city !== undefined)?.city,
    }));
    const firstOf = ({ members }: { members: readonly number[] }): number => members[0] ?? 0;
    return {
        customer: people.flatMap(person => (person.city === undefined ? [] : [[firstOf(person), person.members.length, person.city]])),
        bill: people.flatMap(person => {
            const paid = orders.filter(({ entry }) => person.members.includes(entry));
            return paid.length === 0 ? [] : [[firstOf(person), paid.reduce((sum, { amount }) => sum + amount, 0)]];
        }),
        same: people.flatMap(({ members }) => members.flatMap(one => members.filter(other => other > one).map(other => [one, other]))),
    };
}

function known(cell: string | undefined): cell is string {
    return cell !== undefined && cell !== '\\N';
}
