import { expect } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import type { VariantProfile } from '#engine/contracts/run-statistics.ts';
import { evaluate, planOf } from '#engine/engine.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import { type ConformanceProgram, check, runOptions } from './conformance.ts';

/** What runs may differ in for their plans; programs take turns. */
const MODES: readonly Partial<RunOptions>[] = [{}, { goalsOnly: true }, { heights: true }];

/** Joins are ordered by what relations hold, which a printed plan does not know; so much of all has the very loops that it shows. */
const LEAST_SHARE = 0.85;

/** Rules are executed as their plan says. */
export async function compareExecutions(programs: readonly ConformanceProgram[]): Promise<void> {
    let executed = 0;
    let compared = 0;
    for (const [index, { name, folder, text, expectation }] of programs.entries()) {
        if (expectation.problems.length > 0 || name.startsWith('samples')) continue;
        const { program } = check(text, expectation.parameters, folder);
        const mode = MODES[index % MODES.length];
        const options = { ...runOptions(folder, expectation.parameters, program.program), ...mode, profile: true };
        const outcome = await evaluate(program, options);
        if (!outcome.ok) continue;
        const strata = linesOfStrata(printPlan(planOf(program, options)));
        for (const { rule, stratum, variants } of outcome.statistics.rules ?? []) {
            for (const variant of variants) {
                executed++;
                const planned = plannedExecutions(variant, strata.get(stratum) ?? []);
                if (planned.length === 0) continue;
                compared++;
                expect(planned, `${name}: ${rule}`).toContain(variant.execution);
            }
        }
    }
    expect(compared / executed).toBeGreaterThan(LEAST_SHARE);
}

/** What a plan has below the titles of its strata, by their numbers, and of the constraints by 0. */
function linesOfStrata(plan: string): ReadonlyMap<number, readonly string[]> {
    return new Map(
        plan.split('\n\n').flatMap(section => {
            const [title = '', ...lines] = section.split('\n');
            const found = /^(?:stratum (\d+)|constraints)/u.exec(title);
            return found === null ? [] : [[Number(found[1] ?? 0), lines]];
        }),
    );
}

/** How the loops of a variant are run wherever they stand in a plan. */
function plannedExecutions({ delta, steps }: VariantProfile, lines: readonly string[]): readonly string[] {
    const start = delta === undefined ? '    ' : `    for new ${delta}, `;
    const isBelow = (at: number): boolean => steps.every((step, i) => lines[at + 1 + i] === `      ${step}`);
    return lines.flatMap((line, at) => (line.startsWith(start) && isBelow(at) ? [line.slice(start.length, -1)] : []));
}
