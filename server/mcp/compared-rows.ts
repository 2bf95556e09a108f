import { say } from '#language/program/say.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import type { TRIAL_METHODS } from '#server/protocol/translations.ts';
import { ToolError } from '#server/tools/tool-error.ts';
import { queryRule } from '#server/translate/sql/sql-program.ts';
import type { EditorPlace } from './editor-tools.ts';

type Methods = typeof TRIAL_METHODS;
type Asked = ParamsOf<Methods, 'rulelang/compareTranslation'>;
type Compared = ResultOf<Methods, 'rulelang/compareTranslation'>;

/** Rows of each side that are compared; of more than these nothing is told. */
const MOST = 20_000;
const STANDARD_INPUT = '-';

/** Runs a program with the query that some of its rules were translated from beside them, and compares their rows. */
export async function comparedRows(placeFor: EditorPlace, { uri, program, query, output }: Asked, signal: AbortSignal): Promise<Compared> {
    const other = unusedName(program);
    const rule = queryRule(query, other);
    if (rule === undefined) return { kind: 'not-run', reason: say`it is no SELECT` };
    const { commands, options, folders } = placeFor({ uri }, signal).folder;
    const { read, limits } = options;
    const args = [
        'run',
        '--format=json',
        `--limit=${MOST + 1}`,
        '--no-write',
        ...read,
        ...limits,
        `--output=${output}`,
        `--output=${other}`,
    ];
    const input = `${program}\n${rule}\n@output("${other}").\n`;
    try {
        const {
            exitCode,
            output: text,
            errors,
        } = await commands([...args, '--', STANDARD_INPUT], {
            folder: folders[0] ?? '.',
            input,
            signal,
        });
        if (exitCode !== 0) return { kind: 'not-run', reason: errors.trim() };
        return compared(text, output, other);
    } catch (error) {
        if (error instanceof ToolError) return { kind: 'not-run', reason: error.message };
        throw error;
    }
}

function compared(text: string, output: string, other: string): Compared {
    const tooMany: Compared = { kind: 'not-run', reason: say`there are more than ${MOST} rows, or very long ones: compare a part of them` };
    let answer: Answer;
    try {
        answer = JSON.parse(text) as Answer;
    } catch {
        return tooMany;
    }
    const [ofRules, ofQuery] = [output, other].map(name => rowsOf(answer.resultSet[name] ?? []));
    if (ofRules === undefined || ofQuery === undefined || ofRules.size > MOST || ofQuery.size > MOST) return tooMany;
    const without = (rows: Rows, others: Rows): string[][] => [...rows].filter(([key]) => !others.has(key)).map(([, cells]) => cells);
    return {
        kind: 'compared',
        columns: answer.columnNames[other] ?? [],
        equal: [...ofQuery].filter(([key]) => ofRules.has(key)).map(([, cells]) => cells),
        ofQuery: without(ofQuery, ofRules),
        ofRules: without(ofRules, ofQuery),
    };
}

interface Answer {
    readonly resultSet: Readonly<Record<string, readonly (readonly unknown[])[]>>;
    readonly columnNames: Readonly<Record<string, readonly string[]>>;
}

/** Rows by what tells them apart. Nulls have no identity in a query, so that one is like another. */
type Rows = ReadonlyMap<string, string[]>;

function rowsOf(rows: readonly (readonly unknown[])[]): Rows {
    return new Map(
        rows.map(row => {
            const cells = row.map(cellText);
            return [JSON.stringify(cells), cells];
        }),
    );
}

function cellText(value: unknown): string {
    if (typeof value === 'string') return value;
    return typeof value === 'object' && value !== null && '$null' in value ? 'null' : JSON.stringify(value);
}

function unusedName(program: string): string {
    let name = 'query';
    while (new RegExp(`\\b${name}\\b`, 'u').test(program)) name += '_';
    return name;
}
