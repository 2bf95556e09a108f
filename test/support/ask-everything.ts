import { expect } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate, planOf } from '#engine/engine.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { termText } from '#engine/values/text.ts';
import { openDocument } from '#language/document/open-document.ts';
import { fixAll } from '#language/editing/fix-all.ts';
import { formatText } from '#language/editing/format-edits.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { printProgram } from '#language/program/print.ts';
import { readProgram } from '#language/read-program.ts';
import { check, runOptions } from './conformance.ts';
import { expectEditorAnswers } from './editor-answers.ts';

/** Small limits: a changed program may well compute without end. */
function options(folder: string): RunOptions {
    const usual = runOptions(folder);
    const limits = { ...usual.limits, maxRounds: 50, maxFacts: 5000, maxNullDepth: 20 };
    return { ...usual, limits, deadline: performance.now() + 2000, seed: 1 };
}

/** Does with a text all that can be done with one. Nothing throws, and there is an answer or a problem. */
export async function askEverything(text: string, folder: string, offsets: readonly number[]): Promise<void> {
    const document = openDocument(text, 'changed.rulelang');
    expectEditorAnswers(
        document,
        offsets.map(offset => Math.min(offset, text.length)),
    );
    for (const problem of document.problems) {
        expect(problem.message).not.toMatch(/undefined|\[object/u);
        quickFixes(document, problem);
    }
    fixAll(document, new Map(), changed => openDocument(changed, 'changed.rulelang'));
    const formatted = formatText(text);
    expect(formatText(formatted), `formatting is idempotent\n${text}`).toBe(formatted);
    const printed = printProgram(readProgram(text, 'changed.rulelang').value);
    expect(printProgram(readProgram(printed, 'changed.rulelang').value), `printing is a fixed point\n${text}`).toBe(printed);
    const { program, errors } = check(text, new Map(), folder);
    if (errors.length > 0) return;
    planOf(program);
    const outcome = await evaluate(program, options(folder));
    if (!outcome.ok) {
        expect(outcome.reports.length).toBeGreaterThan(0);
        return;
    }
    const label = nullLabels(outcome.database.dictionary);
    for (const predicate of program.outputs) {
        const listing = listPredicate(outcome.database, predicate);
        for (let at = 0; at < Math.min(listing.count, 50); at++) {
            for (const [i, { type }] of listing.columns.entries()) termText(outcome.database.dictionary, listing.at(at, i), type, label);
        }
    }
}
