import { BranchCoverage, FileCoverage, l10n, Range, StatementCoverage, TestCoverageCount, Uri } from 'vscode';
import type { CoveredFile, CoveredItem } from '#server/protocol/tests.ts';

/** How much of a program test cases cover: rules that fired, and in their bodies tests that held and that failed. Details come when they are asked for. */
export class RuleCoverage extends FileCoverage {
    readonly #covered: CoveredFile;

    constructor(path: string, covered: CoveredFile) {
        const { rules } = covered;
        const branches = rules.flatMap(({ items }) => items.filter(({ tests }) => tests).flatMap(({ held, failed }) => [held, failed]));
        super(Uri.file(path), counted(rules.map(({ cases }) => cases)), counted(branches));
        this.#covered = covered;
    }

    get details(): StatementCoverage[] {
        return this.#covered.rules.map(({ start, end, cases, items }) => {
            const branches = items.filter(({ tests }) => tests).flatMap(branchesOf);
            return new StatementCoverage(cases, new Range(start, 0, end, Number.MAX_SAFE_INTEGER), branches);
        });
    }
}

/** Cases in which it held, and in which it failed: a test that never fails could be left out, and no case would notice. */
function branchesOf({ item, start, end, held, failed }: CoveredItem): BranchCoverage[] {
    const range = new Range(start.line, start.character, end.line, end.character);
    return [new BranchCoverage(held, range, l10n.t('{0} holds', item)), new BranchCoverage(failed, range, l10n.t('{0} fails', item))];
}

function counted(cases: readonly number[]): TestCoverageCount {
    return new TestCoverageCount(cases.filter(count => count > 0).length, cases.length);
}
