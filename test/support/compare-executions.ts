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

/** How many variants of rules were executed, and how many of them a plan shows. */
export interface Executions {
    readonly executed: number;
    readonly compared: number;
}

/** Rules of a program are executed as their plan says. */
export async function compareExecutions({ name, folder, text, expectation }: ConformanceProgram, mode: number): Promise<Executions> {
    const { program } = check(text, expectation.parameters, folder);
    const options = { ...runOptions(folder, expectation.parameters, program.program), ...MODES[mode % MODES.length], profile: true };
    const outcome = await evaluate(program, options);
    if (!outcome.ok) return { executed: 0, compared: 0 };
    const strata = linesOfStrata(printPlan(planOf(program, options)));
    let executed = 0;
    let compared = 0;
    for (const { rule, stratum, variants } of outcome.statistics.rules ?? []) {
        for (const variant of variants) {
            executed++;
            const planned = plannedExecutions(variant, strata.get(stratum) ?? []);
            if (planned.length === 0) continue;
            compared++;
            expect(planned, `${name}: ${rule}`).toContain(variant.execution);
        }
    }
    return { executed, compared };
}

/** Nearly all executions could be compared. */
export function expectCompared(all: readonly Executions[]): void {
    const sum = (of: keyof Executions): number => all.reduce((total, one) => total + one[of], 0);
    expect(sum('compared') / sum('executed')).toBeGreaterThan(LEAST_SHARE);
}

/** Samples have large data, and a program with a problem no run. */
export function isExecuted({ name, expectation }: ConformanceProgram): boolean {
    return expectation.problems.length === 0 && !name.startsWith('samples');
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
