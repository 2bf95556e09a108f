import { type DoubleColumns, type Facts, readTable } from './tables.ts';

export const PARTS_DOUBLES: DoubleColumns = { cost: [1, 2, 3], purchase: [3] };

/** Explodes each assembly into its parts one by one, and counts money in whole cents. */
export function parts(rate = 42, part = 'Ball bearing'): Facts {
    const uses = readTable('parts', 'uses.csv').map(([assembly = '', used = '', quantity]) => ({
        assembly,
        used,
        quantity: Number(quantity),
    }));
    const minutes = new Map(readTable('parts', 'made.csv').map(([assembly = '', time]) => [assembly, Number(time)]));
    const bought = readTable('parts', 'bought.csv').map(([name = '', supplier = '', price]) => ({
        name,
        supplier,
        cents: Math.round(Number(price) * 100),
    }));
    const products = [...minutes.keys()].filter(assembly => !uses.some(({ used }) => used === assembly));
    const pieces = new Map([...minutes.keys()].map(assembly => [assembly, explode(assembly)]));
    const needed = (assembly: string, name: string): number => pieces.get(assembly)?.get(name) ?? 0;
    return {
        cost: products.map(product => {
            const material = bought.reduce((sum, { name, cents }) => sum + cents * needed(product, name), 0);
            const work = [...minutes].reduce(
                (sum, [assembly, time]) => sum + time * (assembly === product ? 1 : needed(product, assembly)),
                0,
            );
            const workCents = (work * rate * 100) / 60;
            return [product, material / 100, Math.round(workCents) / 100, Math.round(material + workCents) / 100];
        }),
        purchase: bought
            .map(({ name, supplier, cents }) => {
                const count = products.reduce((sum, product) => sum + needed(product, name), 0);
                return [supplier, name, count, (count * cents) / 100] as const;
            })
            .filter(([, , count]) => count > 0),
        where_used: [...pieces].filter(([, inside]) => inside.has(part)).map(([assembly, inside]) => [assembly, inside.get(part) ?? 0]),
    };

    function explode(assembly: string): Map<string, number> {
        const inside = new Map<string, number>();
        const add = (name: string, count: number): void => {
            inside.set(name, (inside.get(name) ?? 0) + count);
            for (const { used, quantity } of uses.filter(use => use.assembly === name)) add(used, count * quantity);
        };
        for (const { used, quantity } of uses.filter(use => use.assembly === assembly)) add(used, quantity);
        return inside;
    }
}
