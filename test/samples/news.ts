import { type Facts, readTable } from './tables.ts';

/** Hands the news on in rounds: whoever hears it in one tells it in the next. */
export function news(): Facts {
    const tells = readTable('news', 'tells.csv');
    const away = new Set(readTable('news', 'away.csv').map(([person]) => person));
    const heard = new Map([['Ada', 0]]);
    for (let round = 1, tellers = ['Ada']; tellers.length > 0; round++) {
        const told = tells.flatMap(([teller = '', listener = '']) => (tellers.includes(teller) && !away.has(listener) ? [listener] : []));
        tellers = [...new Set(told)].filter(listener => !heard.has(listener));
        for (const listener of tellers) heard.set(listener, round);
    }
    const people = new Set(tells.flat());
    return { hears: [...heard], unaware: [...people].filter(person => !heard.has(person)).map(person => [person]) };
}
