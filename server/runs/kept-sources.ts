import type { Connectors, RowTarget, Source } from '#engine/sources/source.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { bindKey } from '#language/analysis/binds.ts';
import { translation } from './kept-rows.ts';

/** A program asks for a source that was not read when its run began. */
export class SourceNotRead extends Error {}

/** Sources of a program that is evaluated again and again: each is read once, and gives the same rows from then on. */
export interface KeptSources {
    readonly connectors: Connectors;
    /** From now on nothing is read that has not been. */
    close(): void;
}

/** Rows as they were read. */
interface ReadRows {
    readonly dictionary: Dictionary;
    readonly columns: readonly Int32Array[];
    readonly count: number;
}

const FIRST_ROWS = 1024;

export function keptSources(connectors: Connectors): KeptSources {
    const read = new Map<string, ReadRows>();
    let isClosed = false;
    return {
        close: () => {
            isClosed = true;
        },
        connectors: {
            sink: bind => connectors.sink(bind),
            source: bind => {
                const key = bindKey(bind);
                const known = read.get(key);
                if (known !== undefined) return givenAgain(bind.inner, known);
                if (isClosed) throw new SourceNotRead();
                const source = connectors.source(bind);
                return source && { name: source.name, load: target => readWhole(source, target, rows => read.set(key, rows)) };
            },
        },
    };
}

/** Reads all rows and columns, whatever is needed of them now. */
async function readWhole(source: Source, { needs: _, addRows, ...target }: RowTarget, done: (rows: ReadRows) => void): Promise<void> {
    const arity = target.columns.length;
    let columns = target.columns.map(() => new Int32Array(FIRST_ROWS));
    let count = 0;
    const makeRoom = (rows: number): void => {
        const size = columns[0]?.length ?? 0;
        if (arity === 0 || count + rows <= size) return;
        columns = columns.map(column => {
            const larger = new Int32Array(Math.max(size * 2, count + rows));
            larger.set(column);
            return larger;
        });
    };
    await source.load({
        ...target,
        add: (row, line) => {
            makeRoom(1);
            for (let column = 0; column < arity; column++) (columns[column] as Int32Array)[count] = row[column] ?? 0;
            count++;
            target.add(row, line);
        },
        ...(addRows && {
            addRows: (added, rows, line) => {
                makeRoom(rows);
                for (const [column, values] of added.entries()) columns[column]?.set(values.subarray(0, rows), count);
                count += rows;
                addRows(added, rows, line);
            },
        }),
    });
    done({ dictionary: target.dictionary, columns, count });
}

function givenAgain(name: string, { dictionary, columns, count }: ReadRows): Source {
    return {
        name,
        load: target => {
            const same = (id: ValueId): ValueId => id;
            const translate = target.dictionary === dictionary ? same : translation(dictionary, id => id, target.dictionary);
            const row = new Int32Array(target.columns.length);
            for (let at = 0; at < count; at++) {
                for (let column = 0; column < row.length; column++) row[column] = translate(columns[column]?.[at] ?? 0);
                target.add(row, 0);
            }
        },
    };
}
