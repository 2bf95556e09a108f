import { type CharacterBits, charactersOf, hasAll, neededCharacters } from '#language/library/needed-characters.ts';
import { withForm, withHelper } from '#language/problems/catalogue.ts';
import { translated } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { clauseProblem } from './clause-problem.ts';
import type { ForeignForm } from './foreign-forms/foreign-form.ts';
import { LOGIC_FORMS } from './foreign-forms/logic.ts';
import { NAME_FORMS } from './foreign-forms/names.ts';
import { POLICY_FORMS } from './foreign-forms/policies.ts';
import { SCRIPT_FORMS } from './foreign-forms/scripts.ts';
import { SHEET_FORMS } from './foreign-forms/sheets.ts';
import { SQL_FORMS } from './foreign-forms/sql.ts';
import type { ClauseProblem } from './parsed-clause.ts';

/** In the order in which they are tried. */
export const FORMS: readonly ForeignForm[] = [
    ...SHEET_FORMS,
    ...POLICY_FORMS,
    ...SCRIPT_FORMS,
    ...SQL_FORMS,
    ...LOGIC_FORMS,
    ...NAME_FORMS,
];

/** How many clauses were looked through for forms; behind the first ones, only for those of which they have all characters. */
let looked = 0;
let needed: readonly CharacterBits[] | undefined;
const FIRST_ONES = 500;

/** Longer clauses are not looked through: some patterns need time that grows with the square of the length. */
const LONGEST_CLAUSE = 2000;

/** The codes of mistakes that a form of another language may look like. */
const CODES: ReadonlySet<string> = new Set([
    'RL0001',
    'RL0002',
    'RL0005',
    'RL0006',
    'RL0007',
    'RL0012',
    'RL0030',
    'RL0032',
    'RL0041',
    'RL0045',
    'RL0046',
    'RL0047',
    'RL0048',
    'RL0049',
]);

/**
 * A problem inside a form that SQL or another dialect of Datalog has: what it marks is the whole form then, and its remedy
 * says how the same is written here.
 */
export function withForeignForm(problem: ClauseProblem, clause: string): ClauseProblem {
    if (!CODES.has(problem.code) || clause.length > LONGEST_CLAUSE) return problem;
    const at = problem.code === 'RL0001' || problem.code === 'RL0002' ? problem.span.end : problem.span.start;
    for (const { pattern, written, name, helper, words, instead } of formsFor(clause)) {
        if (clause.search(pattern) < 0) continue;
        for (const match of clause.matchAll(pattern)) {
            const span = trimmed(match.index, match[0]);
            if (at < match.index || at > match.index + match[0].length) continue;
            const meant = written(match);
            if (meant === undefined) continue;
            const called = typeof name === 'function' ? name(match) : name;
            const found = called === undefined ? { ...problem, span } : clauseProblem('RL0048', span, called);
            const asked = helper?.(match);
            if (asked !== undefined) return withHelper(found, asked);
            if (words !== undefined) return { ...found, remedy: typeof words === 'function' ? words(match) : translated(words) };
            return withForm(
                found,
                asTrimmed(meant, match[0]),
                typeof instead === 'string' ? translated(instead) : typeof instead === 'function' ? instead(match) : instead,
            );
        }
    }
    return problem;
}

/** The forms that a clause may have. Finding out what each needs takes longer than looking for all of them in a few clauses. */
function formsFor(clause: string): readonly ForeignForm[] {
    if (looked++ < FIRST_ONES) return FORMS;
    needed ??= FORMS.map(({ pattern }) => neededCharacters(pattern));
    const known = needed;
    const characters = charactersOf(clause);
    return FORMS.filter((_, index) => hasAll(characters, known[index] ?? characters));
}

/** The text for a form without the blanks around it, where these are not marked. */
function asTrimmed(meant: string, form: string): string {
    const start = /^\s/u.test(form) ? meant.trimStart() : meant;
    return /\s$/u.test(form) ? start.trimEnd() : start;
}

function trimmed(start: number, text: string): Span {
    return { start: start + text.length - text.trimStart().length, end: start + text.trimEnd().length };
}
