import { lastClauseStartingAt, type OpenDocument } from '#language/document/open-document.ts';
import type { ProblemCode } from '#language/problems/catalogue.ts';
import type { Problem, Severity } from '#language/program/problem.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import type { Severities } from '#language/reporting/severities.ts';
import type { TextEdit } from './format-edits.ts';
import { quickFixes } from './quick-fixes.ts';

/** Codes whose preferred fix needs no review: it keeps the meaning, or writes the only possible meaning of a syntax error. */
const SAFE: ReadonlySet<string> = new Set<ProblemCode>([
    'RL0001',
    'RL0002',
    'RL0003',
    'RL0004',
    'RL0008',
    'RL0010',
    'RL0011',
    'RL0015',
    'RL0016',
    'RL0031',
    'RL0032',
    'RL0040',
    'RL0041',
    'RL0043',
    'RL0048',
    'RL4023',
    'RL4026',
    'RL4028',
    'RL6005',
    'RL9001',
    'RL9022',
    'RL9024',
    'RL9030',
]);

/** A fix may bring another to light; so many times they are all looked for. */
const PASSES = 20;

export interface FixedText {
    readonly text: string;
    /** Edits pass by pass; the offsets of each pass refer to the text before it. */
    readonly edits: readonly (readonly TextEdit[])[];
    /** How many problems of each code were fixed, in the order in which the codes came up. */
    readonly fixed: ReadonlyMap<string, number>;
}

/**
 * Applies safe fixes again and again until none is left. Problems that are not reported stay. A fix is skipped if it brings more errors, or
 * more errors and warnings together. `open` analyses a text of the same file.
 */
export function fixAll(document: OpenDocument, severities: Severities, open: (text: string) => OpenDocument): FixedText {
    const fixed = new Map<string, number>();
    const edits: (readonly TextEdit[])[] = [];
    let current = document;
    for (let pass = 0; pass < PASSES; pass++) {
        const made = withFixes({ document: current, fixes: [], text: current }, safeFixes(current, severities), open);
        if (made.fixes.length === 0) break;
        for (const { code } of made.fixes) fixed.set(code, (fixed.get(code) ?? 0) + 1);
        edits.push(editsOf(made.fixes));
        current = made.text;
    }
    return { text: current.text, edits, fixed };
}

/** Whether one of the problems may have a fix that is made without asking. */
export function hasSafeFixes(problems: readonly Problem[]): boolean {
    return problems.some(({ code }) => SAFE.has(code));
}

interface SafeFix {
    readonly code: string;
    readonly edits: readonly TextEdit[];
    readonly madeUp: string | undefined;
}

/** A document, some fixes of it, and the document with these. */
interface Fixed {
    readonly document: OpenDocument;
    readonly fixes: readonly SafeFix[];
    readonly text: OpenDocument;
}

/** With further fixes, as many as bring nothing new: all of them, else what is left of the first half and then of the second. */
function withFixes(made: Fixed, further: readonly SafeFix[], open: (text: string) => OpenDocument): Fixed {
    if (further.length === 0) return made;
    const fixes = [...made.fixes, ...further];
    const text = open(withEdits(made.document.text, editsOf(fixes)));
    if (!isWorse(text, made.text)) return { ...made, fixes, text };
    if (further.length === 1) return made;
    const middle = Math.ceil(further.length / 2);
    return withFixes(withFixes(made, further.slice(0, middle), open), further.slice(middle), open);
}

function editsOf(fixes: readonly SafeFix[]): readonly TextEdit[] {
    return fixes.flatMap(({ edits }) => edits);
}

/** Fixes in text order; one that begins before the one before it ends waits for the next pass, and so does one that makes up the same name. */
function safeFixes(document: OpenDocument, severities: Severities): readonly SafeFix[] {
    const fixes: SafeFix[] = [];
    for (const problem of reportedProblems({ ...document, clauses: document.analysed.program.clauses }, severities)) {
        const fix = SAFE.has(problem.code) ? quickFixes(document, problem).find(({ preferred }) => preferred) : undefined;
        if (fix === undefined || (problem.severity === 'error' && removesClause(document, fix.edits))) continue;
        const { madeUp } = fix;
        if (madeUp !== undefined && fixes.some(other => other.madeUp === madeUp)) continue;
        fixes.push({ code: problem.code, madeUp, edits: [...fix.edits].sort((a, b) => a.start - b.start || a.end - b.end) });
    }
    const startOf = ({ edits: [first] }: SafeFix): number => first?.start ?? 0;
    let reach = -1;
    return fixes
        .sort((a, b) => startOf(a) - startOf(b))
        .filter(fix => {
            if (startOf(fix) <= reach) return false;
            reach = fix.edits.at(-1)?.end ?? reach;
            return true;
        });
}

/** True if an edit removes a whole clause. The author of an unreadable clause had a reason for it: removing it needs a review. */
function removesClause({ program: { clauses } }: OpenDocument, edits: readonly TextEdit[]): boolean {
    return edits.some(({ start, end, text }) => {
        const clause = text.trim() === '' ? clauses[lastClauseStartingAt(clauses, end - 1)] : undefined;
        return clause !== undefined && start <= clause.place.offset && clause.place.offset + clause.span.end <= end;
    });
}

export function withEdits(text: string, edits: readonly TextEdit[]): string {
    let changed = '';
    let at = 0;
    for (const { start, end, text: replacement } of edits) {
        changed += text.slice(at, start) + replacement;
        at = end;
    }
    return changed + text.slice(at);
}

function isWorse(document: OpenDocument, before: OpenDocument): boolean {
    const [now, then] = [gravity(document), gravity(before)];
    return now.errors > then.errors || now.all > then.all;
}

function gravity({ problems }: OpenDocument): { readonly errors: number; readonly all: number } {
    const count = (severity: Severity): number => problems.filter(problem => problem.severity === severity).length;
    return { errors: count('error'), all: count('error') + count('warning') };
}
