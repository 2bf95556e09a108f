import { blocksOf } from './notebook-blocks.ts';
import { linesOf } from './notebook-text.ts';

/**
 * The program of a notebook: its cells of rules and of SQL, with blanks in the place of everything else, so that each character stands where it
 * stands in the notebook.
 */
export function notebookProgram(text: string): string {
    const { lines, mark, lineBreak } = linesOf(text);
    const program = lines.map(blanked);
    for (const block of blocksOf(lines)) {
        if (block.kind !== 'code') continue;
        const own = cellProgram(block.language, lines.slice(block.textFrom, block.textTo));
        own.lines.forEach((line, i) => {
            program[block.textFrom + i] = line;
        });
        if (own.end !== '' && block.isClosed) program[block.textTo] = `${own.end}${program[block.textTo]?.slice(own.end.length)}`;
    }
    return `${mark}${program.join(lineBreak)}`;
}

export interface CellProgram {
    /** As many as the cell has, and as long. */
    readonly lines: readonly string[];
    /** The start of the line behind them: a dot, if they need one. */
    readonly end: '' | '.' | ').';
}

/**
 * Returns the program of a cell. Rules are their own. A query or a script becomes the rule whose head is its first line; without a head
 * there, the program is empty.
 */
export function cellProgram(language: string, lines: readonly string[]): CellProgram {
    if (language === 'rulelang') return { lines, end: '' };
    const nothing: CellProgram = { lines: lines.map(blanked), end: '' };
    if (language === 'python') return scriptRule(lines) ?? nothing;
    if (language !== 'sql' || !QUERY_HEAD.test(lines[0] ?? '')) return nothing;
    const last = lines.findLastIndex(line => line.trim() !== '');
    const first = lines.findIndex((line, i) => i > 0 && !QUERY_COMMENT.test(line));
    const query = lines.map((line, i) => {
        if (i === 0) return line.replace('--', '  ');
        // A query begins with its first word, and what stands before it is of the rule.
        if (i < first) return line.replace('--', '%%');
        // A dot ends it as a rule, and a semicolon would not.
        return i === last ? line.replace(/;(?=\s*$)/u, ' ') : line;
    });
    return { lines: query, end: '.' };
}

/** `-- big() <-`, or with names of its columns, `-- big(City, People) <-`: the head of a rule in a comment. */
const QUERY_HEAD = /^--\s*([a-z]\w*)\s*\([^()]*\)\s*<-\s*$/u;

const QUERY_COMMENT = /^\s*(?:--|$)/u;

/** The predicate that a cell of SQL gives its rows. */
export function queryName(text: string): string | undefined {
    return QUERY_HEAD.exec(text.split('\n', 1)[0] ?? '')?.[1];
}

/** `# weather(City, Temp) <-`: the same in a comment of Python. */
const SCRIPT_HEAD = /^#\s*([a-z]\w*)\s*\([^()]*\)\s*<-\s*$/u;
const RUN = 'python:run(';

/** Returns the name of a Python cell's script in rules: its predicate. */
export function scriptName(text: string): string | undefined {
    return SCRIPT_HEAD.exec(text.split('\n', 1)[0] ?? '')?.[1];
}

/** The rule that runs a script, in lines that have room for its parts; every script that gives rows has them. */
function scriptRule(lines: readonly string[]): CellProgram | undefined {
    const name = scriptName(lines[0] ?? '');
    const called = `"${name}"`;
    const run = lines.findIndex((line, i) => i > 0 && plainLength(line) >= RUN.length);
    const script = run === -1 ? -1 : lines.findIndex((line, i) => i > run && plainLength(line) >= called.length);
    if (name === undefined || script === -1) return undefined;
    const parts = new Map([
        [run, RUN],
        [script, called],
    ]);
    return {
        lines: lines.map((line, i) => {
            const part = parts.get(i) ?? '';
            return i === 0 ? line.replace('#', ' ') : `${part}${blanked(line).slice(part.length)}`;
        }),
        end: ').',
    };
}

function plainLength(line: string): number {
    return line.replace(/\r$/u, '').length;
}

/** Blanks as long as a line; a carriage return ends one. */
function blanked(line: string): string {
    return line.replaceAll(/[^\r]/g, ' ');
}
