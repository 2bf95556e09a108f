import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { code, page, tidied } from '../shared-window.ts';

const PROGRAM = 'programs/fares.rulelang';
const RULES = `@output("cheap").
cheap(X, Y) <- leg(X, Y, P), P < 30.
cheap(X, Z) <- cheap(X, Y), cheap(Y, Z).
@output("far").
far(X) <- cheap(X, _), not near(X).
near("oslo").
leg("oslo", "bergen", 45).
`;
const TESTS = 'programs/fares.test.rulelang';
const CASES = `@include("fares.rulelang").

@test("cheap legs are joined").
leg("oslo", "kiel", 20).
leg("kiel", "riga", 29).
@expect("cheap").
cheap("oslo", "kiel").
cheap("kiel", "riga").
cheap("kiel", "oslo").

@test("dear legs are left out").
leg("oslo", "bergen", 45).
@expect("cheap", "empty").
`;

const row = (name: RegExp) => page.getByRole('treeitem', { name }).first();

describe('tests', () => {
    beforeAll(async () => {
        await tidied();
        writeFileSync(join(code.workspace, PROGRAM), RULES);
        writeFileSync(join(code.workspace, TESTS), CASES);
        await code.host('open', TESTS);
        await code.host('command', 'workbench.view.testing.focus');
    });

    test('lists test files and their cases', async () => {
        await expect.poll(() => row(/control\.test\.rulelang/u).count()).toBe(1);
        await expect.poll(() => row(/fares\.test\.rulelang/u).count()).toBe(1);
        await row(/fares\.test\.rulelang/u).click();
        await page.keyboard.press('ArrowRight');
        await expect.poll(() => row(/cheap legs are joined/u).count()).toBe(1);
        await expect.poll(() => row(/dear legs are left out/u).count()).toBe(1);
    });

    test('runs them, and tells why facts are missing and unexpected', async () => {
        await code.host('command', 'testing.runCurrentFile');
        await expect.poll(() => row(/cheap legs are joined.*Failed/u).count()).toBe(1);
        await expect.poll(() => row(/dear legs are left out.*Passed/u).count()).toBe(1);
        await page
            .getByText(/1 fact of cheap is missing/u)
            .last()
            .click();
        const reasons = page.locator('.part.panel .test-output-peek-message-container');
        await expect.poll(() => reasons.innerText()).toMatch(/Look.first.at.+cheap\("oslo","riga"\)/su);
        await page.getByText('Expected and derived facts').click();
        const difference = page.locator('.part.panel .monaco-diff-editor').first();
        await expect.poll(() => difference.innerText()).toMatch(/"kiel","oslo".+"oslo","riga"/su);
        await row(/cheap legs are joined.*Failed/u).hover();
        await expect.poll(() => page.getByRole('button', { name: 'Accept as Golden' }).count()).toBeGreaterThan(0);
    });

    test('accepts what a case derives, and is told that it passes', async () => {
        await code.host('open', TESTS, 6);
        expect(await code.host('actions')).toContain('Accept what the test case derives');
        await code.host('command', 'rulelang.acceptDerived');
        await expect.poll(() => row(/cheap legs are joined.*Passed/u).count()).toBe(1);
        expect(await code.host('read', TESTS)).toContain(
            '@expect("cheap").\ncheap("kiel","riga").\ncheap("oslo","kiel").\ncheap("oslo","riga").\n\n@test',
        );
        expect(await code.host('actions')).not.toContain('Accept what the test case derives');
    });

    test('says which rules and tests in bodies no case needs', async () => {
        await code.host('command', 'testing.coverageCurrentFile');
        await code.host('open', PROGRAM);
        const missed = page.locator('.coverage-deco-gutter.coverage-deco-miss');
        await expect.poll(() => missed.count()).toBeGreaterThan(0);
        await expect.poll(() => page.getByRole('treeitem', { name: /^fares\.rulelang/u }).count()).toBe(1);
    });

    test('runs again when a file changes', async () => {
        const starting = code.host('command', 'testing.startContinuousRun');
        await page.getByRole('checkbox', { name: /^Run, Test cases/u }).click();
        await page.keyboard.press('Enter');
        await starting;
        writeFileSync(join(code.workspace, PROGRAM), RULES.replace('P < 30', 'P < 50'));
        await expect.poll(() => row(/dear legs are left out.*Failed/u).count()).toBe(1);
        await code.host('command', 'testing.stopContinuousRun');
    });
});
