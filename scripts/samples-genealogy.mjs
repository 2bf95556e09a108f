import { csv, seeded } from './samples-data.mjs';

const GIVEN = `Ada Bruno Clara Dario Edith Felix Greta Hugo Irene Jonas Klara Leo Mira Nils Olga Paul Rosa Simon Thea Ugo Vera Walter
    Xenia Yann Zora Anton Berta Cyril Dora Emil Flora Gustav Hanna Ivo Jana Kurt Lena Max Nora Otto Petra Quirin Ruth Stefan Tilda Ulf
    Vida Wim Alma Boris Carla Dirk Elsa Franz Gerda Henrik Ilse Jakob Karin Ludwig`.split(/\s+/u);
const GENERATIONS = 5;
const DAY = 86_400_000;

/** One family in five generations: everyone below the founders has both parents recorded, those who married in have none. */
export function genealogyData() {
    const next = seeded(5);
    const given = [...GIVEN];
    const people = [];
    const parents = [];
    const person = year => {
        const name = given.shift();
        people.push([name, new Date(Date.UTC(year, 0, 1) + next.int(365) * DAY).toISOString().slice(0, 10)]);
        return { name, year };
    };
    let couples = [[person(1871), person(1874)]];
    for (let generation = 2; generation <= GENERATIONS; generation++) {
        const children = couples.flatMap(([mother, father], index) => {
            const count = index === 0 ? 3 : next.int(4);
            return Array.from({ length: count }, (_, place) => {
                const child = person(Math.max(mother.year, father.year) + 24 + 3 * place + next.int(3));
                parents.push([child.name, mother.name], [child.name, father.name]);
                return child;
            });
        });
        couples = children
            .filter(() => next() < 0.85)
            .map(child => [child, generation < GENERATIONS ? person(child.year - 3 + next.int(6)) : child]);
    }
    return {
        'people.csv': csv(['name', 'born'], people),
        'parents.csv': csv(['child', 'parent'], parents),
    };
}
