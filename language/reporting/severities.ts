import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import type { Problem, Severity } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';

/** How severe a project finds the problems with some codes. Errors stop a run, so they stay errors. */
export type Severities = ReadonlyMap<string, ConfiguredSeverity>;
export type ConfiguredSeverity = Severity | 'off';

const CHOICES: readonly ConfiguredSeverity[] = ['off', 'hint', 'information', 'warning', 'error'];
export const USUAL_SEVERITIES: Severities = new Map();

const ENTRIES: ReadonlyMap<string, ProblemEntry> = new Map(Object.entries(PROBLEMS));

/** Why the problems with a code cannot be made milder or left out; nothing where they can. */
export function fixedSeverity(code: string): string | undefined {
    const entry = ENTRIES.get(code);
    if (entry === undefined) return say`no problem has the code '${code}'`;
    return entry.severity === 'error' ? say`'${code}' is an error, which stops a run` : undefined;
}

/** Severities as a settings file gives them, `{"RL9001": "off"}`, and what is wrong with them, as sentences without a dot. */
export function readSeverities(given: unknown): { readonly severities: Severities; readonly complaints: readonly string[] } {
    if (typeof given !== 'object' || given === null || Array.isArray(given))
        return { severities: USUAL_SEVERITIES, complaints: [say`Severities are an object of codes, such as {"RL9001": "off"}`] };
    const severities = new Map<string, ConfiguredSeverity>();
    const complaints: string[] = [];
    for (const [code, value] of Object.entries(given)) {
        const severity = CHOICES.find(known => known === value);
        const fixed = fixedSeverity(code);
        if (severity === undefined) complaints.push(say`The severity of '${code}' is one of ${CHOICES.join(', ')}`);
        else if (fixed === undefined) severities.set(code, severity);
        else if (severity !== 'error' || !ENTRIES.has(code)) complaints.push(say`The severity of '${code}' stays as it is: ${fixed}`);
    }
    return { severities, complaints };
}

/** True for a problem that is only told where a project gives its code a severity. */
export function isOffByDefault({ code }: Problem): boolean {
    return OFF_BY_DEFAULT.has(code);
}

const OFF_BY_DEFAULT: ReadonlySet<string> = new Set([...ENTRIES].flatMap(([code, { offByDefault }]) => (offByDefault ? [code] : [])));

/** The problem as severe as the project finds it; nothing when it is to be left out. */
export function configured(problem: Problem, severities: Severities): Problem | undefined {
    const severity = problem.severity === 'error' ? undefined : severities.get(problem.code);
    if (severity === undefined) return isOffByDefault(problem) ? undefined : problem;
    return severity === 'off' ? undefined : { ...problem, severity };
}
