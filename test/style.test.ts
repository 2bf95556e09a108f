import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { append } from '#language/program/append.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDERS = ['language', 'engine', 'server', 'extension'];
/** Files and places to list when a ceiling does not fit. */
const [MOST_FILES, MOST_PLACES] = [5, 3];

interface Habit {
    readonly name: string;
    readonly pattern: RegExp;
    /** Applies to the beginning of doc comments alone. */
    readonly opens?: true;
    /** Uses that are left. Only ever lower it. */
    readonly ceiling: number;
    readonly instead: string;
}

/** Habits that `CONTRIBUTING.md` forbids ("How we write"), as far as a pattern finds them safely. */
const HABITS: readonly Habit[] = [
    {
        name: 'What, Who, Where, Which and Those as openers',
        pattern: /^(?:What|Whatever|Who|Whoever|Where|Wherever|Which|Whichever|Those)\b/gu,
        opens: true,
        ceiling: 334,
        instead: 'begin with a verb or the name of the thing',
    },
    {
        name: 'is told',
        pattern: /\b(?:is|are) told\b(?! apart)/giu,
        ceiling: 44,
        instead: 'name the actor: who reports, sends or lists it',
    },
    {
        name: 'somebody and nobody',
        pattern: /\b(?:somebody|nobody|whoever|everybody)\b/giu,
        ceiling: 41,
        instead: 'name the actor: user, caller, planner, run, host',
    },
    {
        name: 'is no before a noun',
        pattern: /(?<!\bthere )\b(?:is|are) no (?!(?:longer|more|such)\b)/giu,
        ceiling: 16,
        instead: "write 'is not a'",
    },
];

interface Comment {
    readonly line: number;
    readonly isDoc: boolean;
    readonly text: string;
}

interface Place {
    readonly file: string;
    readonly line: number;
    readonly words: string;
}

const FILES = FOLDERS.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
).filter(file => file.endsWith('.ts') && !file.includes('generated'));
const COMMENTS = FILES.flatMap(file => commentsIn(readFileSync(join(ROOT, file), 'utf8')).map(comment => ({ file, ...comment })));

test.each(HABITS)('comments have no more uses of $name', habit => {
    const places = COMMENTS.flatMap(({ file, ...comment }) =>
        usesIn(comment, habit).map((words): Place => ({ file, line: comment.line, words })),
    );
    expect(places.length, adviceOn(habit, places)).toBe(habit.ceiling);
});

test.each([
    [1, '/** What it takes. */'],
    [1, '/**\n * Those of a program.\n */'],
    [0, '/** Whatsapp. */'],
    [0, '// What follows is left out.'],
    [0, "const text = '/** What it takes. */';"],
    [1, '    /** Facts that are told. */'],
    [1, '// It is\n// told later.'],
    [0, '/** Equal rows are told apart by their numbers. */'],
    [0, 'const isTold = true; // is told'],
    [2, '/** Somebody asks, and nobody answers. */'],
    [1, '/* A name is no text. */'],
    [0, '/** Undefined if there is no text. It is no longer used. */'],
])('%d in %s', (count, source) => {
    expect(commentsIn(source).flatMap(comment => HABITS.flatMap(habit => usesIn(comment, habit)))).toHaveLength(count);
});

/** Reads the comments that stand on lines of their own; neighbouring `//` lines are one. */
function commentsIn(source: string): Comment[] {
    const found = source.matchAll(/^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)/gmu);
    return Array.from(found, ({ 0: written, index }) => ({
        line: source.slice(0, index).split('\n').length,
        isDoc: written.trimStart().startsWith('/**'),
        text: written
            .replaceAll(/^[ \t]*(?:\/\*+|\*\/|\*|\/\/)|\*\/$/gmu, '')
            .replaceAll(/\s+/gu, ' ')
            .trim(),
    }));
}

/** Returns the words around each use of a habit. */
function usesIn({ isDoc, text }: Comment, { pattern, opens }: Habit): string[] {
    if (opens && !isDoc) return [];
    return Array.from(text.matchAll(pattern), ({ index }) => text.slice(Math.max(0, index - 30), index + 60));
}

function adviceOn({ name, ceiling, instead }: Habit, places: readonly Place[]): string {
    if (places.length < ceiling)
        return `'${name}': ${places.length} uses are left. In test/style.test.ts, lower its ceiling from ${ceiling} to ${places.length}.`;
    const byFile = new Map<string, Place[]>();
    for (const place of places) append(byFile, place.file, place);
    const worst = [...byFile.values()].sort((left, right) => right.length - left.length).slice(0, MOST_FILES);
    const listed = worst.flatMap(inFile => inFile.slice(0, MOST_PLACES).map(({ file, line, words }) => `  ${file}:${line} ${words}`));
    return `'${name}': ${places.length} uses, and ${ceiling} are allowed. Instead, ${instead}. Most are in:\n${listed.join('\n')}`;
}
