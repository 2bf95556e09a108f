import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { EXTENSION } from '#language/modules/find-module.ts';
import { moduleNames } from '#language/modules/include.ts';
import type { Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { TextEdit } from '../format-edits.ts';
import { removalOf } from '../quick-fixes/fix.ts';
import { lineBreakOf, type Refactoring, type RefactoringRequest } from './refactoring.ts';

/** Names that are tried for a file: `edges`, `edges_2` and so on. */
const TRIED = 20;

/** Annotations that belong to the file of the run, or describe the file itself. */
const OF_THE_FILE: ReadonlySet<string> = new Set(['output', 'include', 'module', 'param']);

/** A predicate gets a file of its own beside this one, which includes it: its facts, its rules and what annotations say of it but `@output`. */
export function* moveToModule({ workspace, document, clause, selection }: RefactoringRequest): Iterable<Refactoring> {
    const name = definedBy(clause);
    if (name === undefined || !isOnName(clause, selection)) return;
    const { clauses } = document.analysed.program;
    const moved = clauses.filter(other => belongsTo(other, name));
    const isSplit = clauses.some(other => other.kind === 'broken' || (definesAmongOthers(other, name) && !moved.includes(other)));
    const stays = clauses.some(other => !moved.includes(other) && (other.kind === 'rule' || other.kind === 'fact'));
    const target = freeFile(workspace, document, name);
    if (isSplit || !stays || target === undefined) return;
    const lineBreak = lineBreakOf(document.text);
    const ranges = moved.map(other => withComments(document, other));
    const texts = ranges.map(({ start, end }) => document.text.slice(start, end));
    yield {
        kind: 'extract',
        title: say`Move '${name}' to a module`,
        created: { file: target.file, text: [`@module("${target.name}").`, ...texts, ''].join(lineBreak) },
        edits: () => new Map([[document.file, [...withInclude(document, ranges, `@include("${target.name}").`, lineBreak)]]]),
    };
}

/** The predicate of a fact, or of all heads of a rule. */
function definedBy(clause: Clause): string | undefined {
    if (clause.kind === 'fact') return clause.atom.predicate;
    if (clause.kind !== 'rule' || clause.head.kind !== 'atoms') return undefined;
    const [name, ...others] = new Set(clause.head.atoms.map(({ predicate }) => predicate));
    return others.length === 0 ? name : undefined;
}

function definesAmongOthers(clause: Clause, name: string): boolean {
    if (clause.kind === 'fact') return clause.atom.predicate === name;
    return clause.kind === 'rule' && clause.head.kind === 'atoms' && clause.head.atoms.some(({ predicate }) => predicate === name);
}

function isOnName(clause: Clause, { start, end }: TextRange): boolean {
    const atoms = clause.kind === 'fact' ? [clause.atom] : clause.kind === 'rule' && clause.head.kind === 'atoms' ? clause.head.atoms : [];
    return atoms.some(({ nameSpan }) => nameSpan.start <= start && end <= nameSpan.end);
}

/** A clause that goes with the predicate: one that defines it alone, or annotations that are about nothing else. */
function belongsTo(clause: Clause, name: string): boolean {
    const { annotations } = clause;
    if (annotations.some(annotation => OF_THE_FILE.has(annotation.name))) return false;
    if (clause.kind !== 'annotation') return definedBy(clause) === name;
    return annotations.length > 0 && annotations.every(({ arguments: [first] }) => textOf(first) === name);
}

/** A name that no module and no file beside this one has. */
function freeFile(
    workspace: RefactoringRequest['workspace'],
    { file }: OpenDocument,
    wished: string,
): { readonly name: string; readonly file: string } | undefined {
    if (file.startsWith('untitled:')) return undefined;
    const folder = file.slice(0, file.lastIndexOf('/') + 1);
    for (let number = 1; number <= TRIED; number++) {
        const name = number === 1 ? wished : `${wished}_${number}`;
        const found = workspace.find(name, file);
        const beside = `${folder}${name}${EXTENSION}`;
        const isOpen = [...workspace.documents()].some(other => other.file === beside);
        if (!isOpen && (found === undefined || found.kind === 'missing')) return { name, file: beside };
    }
    return undefined;
}

/** A clause with the comments directly above it, and one behind it on its line. */
function withComments({ text, analysed }: OpenDocument, { place, span }: Clause): TextRange {
    const before = analysed.program.clauses.findLast(other => other.place.offset < place.offset);
    const least = before === undefined ? 0 : before.place.offset + before.span.end;
    let start = place.offset + span.start;
    for (;;) {
        const above = /(?:^|\r\n|\r|\n)([ \t]*%[^\r\n]*)(?:\r\n|\r|\n)[ \t]*$/u.exec(text.slice(Math.max(least, start - 2000), start));
        const next = above?.[1] === undefined ? undefined : start - (above[0].length - above[0].indexOf(above[1]));
        if (next === undefined || (least > 0 && !/[\r\n]/u.test(text.slice(least, next)))) break;
        start = next;
    }
    const end = place.offset + span.end;
    return { start, end: end + (/^[ \t]*%[^\r\n]*/u.exec(text.slice(end, end + 500))?.[0].length ?? 0) };
}

/** Takes the ranges out and puts the include behind others, or else where the text begins. */
function withInclude({ text, analysed }: OpenDocument, ranges: readonly TextRange[], include: string, lineBreak: string): TextEdit[] {
    const removals = ranges.map(({ start, end }) => removalOf(text, start, end));
    const last = analysed.program.clauses.findLast(clause => moduleNames([clause]).included.length > 0);
    if (last !== undefined) {
        const end = last.place.offset + last.span.end;
        return [{ start: end, end, text: `${lineBreak}${include}` }, ...removals];
    }
    const start = text.startsWith('\ufeff') ? 1 : 0;
    const [first, ...others] = removals;
    if (first === undefined || first.start > start) return [{ start, end: start, text: `${include}${lineBreak}` }, ...removals];
    return [{ ...first, text: `${include}${lineBreak}` }, ...others];
}
