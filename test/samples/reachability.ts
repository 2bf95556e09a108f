import { type Facts, readTable } from './tables.ts';

interface Journey {
    readonly crossings: number;
    readonly minutes: number;
}

/** Fewest crossings and least time by Floyd and Warshall's tables over all pairs of ports. */
export function reachability(): Facts {
    const ports = readTable('reachability', 'ports.csv').map(([port = '', region = '']) => ({ port, region }));
    const best = new Map<string, Journey>();
    const journey = (from: string, to: string): Journey => best.get(`${from}>${to}`) ?? { crossings: Infinity, minutes: Infinity };
    for (const [from, to, minutes] of readTable('reachability', 'crossings.csv')) {
        best.set(`${from}>${to}`, { crossings: 1, minutes: Number(minutes) });
    }
    for (const { port: middle } of ports) {
        for (const { port: from } of ports) {
            for (const { port: to } of ports) {
                const [direct, first, second] = [journey(from, to), journey(from, middle), journey(middle, to)];
                const crossings = Math.min(direct.crossings, first.crossings + second.crossings);
                const minutes = Math.min(direct.minutes, first.minutes + second.minutes);
                if (crossings < Infinity) best.set(`${from}>${to}`, { crossings, minutes });
            }
        }
    }
    const pairs = ports.flatMap(from => ports.filter(to => to !== from).map(to => ({ from, to, ...journey(from.port, to.port) })));
    const reached = pairs.filter(({ crossings }) => crossings < Infinity);
    const most = new Map<string, number>();
    for (const { from, crossings } of reached) most.set(from.port, Math.max(crossings, most.get(from.port) ?? 0));
    const links = new Set(reached.filter(({ from, to }) => from.region !== to.region).map(({ from, to }) => `${from.region}>${to.region}`));
    return {
        farthest: reached
            .filter(({ from, crossings }) => crossings === most.get(from.port))
            .map(({ from, to, crossings, minutes }) => [
                from.port,
                to.port,
                crossings,
                `${Math.floor(minutes / 60)} h ${minutes % 60} min`,
            ]),
        unreachable: pairs
            .filter(({ from, to, crossings }) => from.region === to.region && crossings === Infinity)
            .map(({ from, to }) => [from.region, from.port, to.port]),
        one_way: [...links].filter(link => !links.has(link.split('>').reverse().join('>'))).map(link => link.split('>')),
    };
}
