import type { Atom, Expression, Item } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import { expressionsOf, HOLE, holeName, isRest, PREDICATE_HOLE, REST } from './holes.ts';

/**
 * A pattern to find: a part of a body, or a whole clause. `$X` matches any term, `$name(…)` any predicate, `$...` any further terms, and a
 * variable matches any variable. Equal names match equal things.
 */
export interface Pattern {
    /** The head of a rule, or a fact. */
    readonly head?: Atom;
    /** Items that a body has, in any order and among others; absent for a fact. */
    readonly items?: readonly Item[];
}

export interface Search {
    readonly pattern: Pattern;
    readonly replacement?: Pattern;
}

export type SearchRead = { readonly search: Search } | { readonly wrong: string };

/** Reads `PATTERN` or `PATTERN ==> REPLACEMENT`. A pattern with an arrow, or with a dot at its end, is a whole clause. */
export function readSearch(text: string): SearchRead {
    try {
        const [before = '', after, ...more] = outsideStrings(text, '==>');
        if (more.length > 0) throw new WrongPattern(say`there is more than one '==>'`);
        const pattern = readPattern(before);
        if (after === undefined) return { search: { pattern } };
        const replacement = after.trim() === '' ? { items: [] } : readPattern(after);
        refuseReplacement(pattern, replacement);
        return { search: { pattern, replacement } };
    } catch (error) {
        if (error instanceof WrongPattern) return { wrong: error.message };
        throw error;
    }
}

/** Refuses a pattern, in words; only `readSearch` sees it. */
class WrongPattern extends Error {}

const STRING = /"(?:[^"\\]|\\.)*"/gu;

/** The parts of a text between separators that stand outside of its strings. */
function outsideStrings(text: string, separator: string): string[] {
    const hidden = text.replace(STRING, found => ' '.repeat(found.length));
    const parts: string[] = [];
    let from = 0;
    for (let at = hidden.indexOf(separator); at >= 0; at = hidden.indexOf(separator, from)) {
        parts.push(text.slice(from, at));
        from = at + separator.length;
    }
    return [...parts, text.slice(from)];
}

function readPattern(given: string): Pattern {
    const text = given.trim();
    const hasArrow = outsideStrings(text, '<-').length > 1 || outsideStrings(text, ':-').length > 1;
    const inner = text.replace(/(?<!\$\.\.)\.$/u, '');
    const isFact = !hasArrow && inner !== text;
    if (hasArrow) {
        const { head, items } = readRule(inner);
        return { head, items };
    }
    const { items } = readRule(`p(1) <- ${inner}`);
    if (items.length === 0) throw new WrongPattern(say`it says nothing to look for`);
    if (!isFact) return { items };
    const [only, ...more] = items;
    if (only?.kind !== 'atom' || only.negated || more.length > 0) throw new WrongPattern(say`a fact is one atom`);
    return { head: only.atom };
}

function readRule(text: string): { readonly head: Atom; readonly items: readonly Item[] } {
    if (/\b(?:Any|any|Rest)__/u.test(text)) throw new WrongPattern(say`names do not begin with 'any__' in a pattern`);
    const { value, problems } = readProgram(`${withHoles(text)}.`, '');
    const [clause, ...more] = value.clauses;
    const [problem] = problems.filter(({ severity }) => severity === 'error');
    if (problem !== undefined) throw new WrongPattern(problem.message);
    if (clause?.kind !== 'rule' || more.length > 0) throw new WrongPattern(say`it is not one clause, and no part of a body`);
    const { head, body } = clause;
    if (head.kind !== 'atoms' || head.atoms[0] === undefined || head.atoms.length > 1)
        throw new WrongPattern(say`its head is not one atom`);
    if (body.kind !== 'items') throw new WrongPattern(say`queries and relation functions are not looked for`);
    return { head: head.atoms[0], items: body.items.filter(item => item.kind !== 'expression' || !isRest(item.expression)) };
}

const HOLES = /"(?:[^"\\]|\\.)*"|\$(\.\.\.|[A-Za-z_]\w*)/gu;

function withHoles(text: string): string {
    let anonymous = 0;
    return text.replace(HOLES, (found, name: string | undefined) => {
        if (name === undefined) return found;
        if (name === '...') return REST;
        if (name === '_') return `${HOLE}_${anonymous++}`;
        return /^[a-z]/u.test(name) ? `${PREDICATE_HOLE}${name}` : `${HOLE}${name}`;
    });
}

function refuseReplacement(pattern: Pattern, replacement: Pattern): void {
    const isClause = pattern.head !== undefined;
    if (isClause !== (replacement.head !== undefined)) {
        throw new WrongPattern(
            isClause ? say`a whole clause is replaced by a whole clause` : say`a part of a body is replaced by a part of a body`,
        );
    }
    if (isClause && pattern.items !== undefined && replacement.items === undefined)
        throw new WrongPattern(say`a rule is replaced by a rule`);
    const known = holesIn(pattern);
    for (const name of new Set(holesIn(replacement))) {
        if (!known.includes(name)) throw new WrongPattern(say`'${name}' stands only behind the '==>'`);
        if (name === '$...' && known.filter(other => other === name).length > 1)
            throw new WrongPattern(say`which of several '$...' is meant is not known`);
    }
}

/** The names of the holes as they are written, as often as they are. */
function holesIn({ head, items = [] }: Pattern): string[] {
    const atoms = [...(head ? [head] : []), ...items.flatMap(item => (item.kind === 'atom' ? [item.atom] : []))];
    const predicates = atoms.flatMap(({ predicate }) => holeName(predicate) ?? []);
    const roots: Expression[] = [
        ...atoms.flatMap(atom => atom.arguments),
        ...items.flatMap(item => (item.kind === 'expression' ? [item.expression] : [])),
    ];
    const inside = roots
        .flatMap(root => [...expressionsOf(root)])
        .flatMap(one => (one.kind === 'variable' ? (holeName(one.name) ?? []) : []));
    return [...predicates, ...inside];
}
