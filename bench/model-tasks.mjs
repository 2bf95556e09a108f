// The tasks of bench/models: programs with their data, and above both what is asked for and the rows that answer it.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('models/', import.meta.url);
/** What stands between the data of a task and the program that answers it. */
const PROGRAM = '%! program';

/** All tasks, by their names. */
export function modelTasks() {
    const files = readdirSync(folder).filter(file => file.endsWith('.rulelang'));
    return files.sort().map(file => modelTask(file.replace(/\.rulelang$/u, ''), readFileSync(new URL(file, folder), 'utf8')));
}

/**
 * Reads a task. `outputs` are the predicates that are asked for with their columns, `rows` has their rows as JSON values, `tables` are
 * what the program may read, `slips` texts in the program whose replacements make it wrong.
 */
export function modelTask(name, text) {
    const [above, program] = text.split(`\n${PROGRAM}\n`);
    const lines = above.split('\n');
    const of = key => lines.filter(line => line.startsWith(`%! ${key} `)).map(line => line.slice(`%! ${key} `.length));
    const outputs = of('output').map(output => {
        const [, predicate, columns] = /^(\w+)\((.*)\)$/u.exec(output);
        return { predicate, columns: columns.split(', ') };
    });
    const rows = Object.fromEntries(outputs.map(({ predicate }) => [predicate, []]));
    for (const row of of('row')) rows[row.slice(0, row.indexOf(' '))].push(JSON.parse(row.slice(row.indexOf(' '))));
    const tables = lines
        .join('\n')
        .split(/\n(?=%% )/u)
        .slice(1)
        .map(table => ({
            predicate: /^@model\("(\w+)"/mu.exec(table)[1],
            description: table.slice('%% '.length, table.indexOf('\n')),
            text: table.trimEnd(),
        }));
    return {
        name,
        grade: Number(of('grade')[0]),
        needs: of('needs')[0],
        ask: of('ask').join(' '),
        outputs,
        rows,
        tables,
        program,
        slips: of('slip').map(slip => slip.split(' ~>').map(part => part.trimStart())),
    };
}

/** The rows of `found` that are wanted, those that are not, and the wanted ones that it lacks: how many. A predicate without rows may be absent. */
export function comparedRows({ rows }, found) {
    const counts = { right: 0, wrong: 0, missing: 0 };
    for (const [predicate, wanted] of Object.entries(rows)) {
        const left = [...(found[predicate] ?? [])];
        for (const row of wanted) {
            const at = left.findIndex(other => isSame(row, other));
            if (at === -1) counts.missing++;
            else {
                counts.right++;
                left.splice(at, 1);
            }
        }
        counts.wrong += left.length;
    }
    return counts;
}

/** Numbers may differ by a billionth, of themselves where they are larger than 1; everything else must be equal. */
function isSame(one, other) {
    if (typeof one === 'number' && typeof other === 'number')
        return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
    if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((part, i) => isSame(part, other[i]));
    return JSON.stringify(one) === JSON.stringify(other);
}
