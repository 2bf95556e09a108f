import { SETTINGS, type SettingName } from '#extension/host/settings.ts';

/** The state of the extension in a report: versions, counts and codes, and no name, path, address, text or row. */
export interface ReportedState {
    readonly versions: Readonly<Record<string, string>>;
    readonly trusted: boolean;
    /** Open programs: their lines, and how often each code of a problem stands in them. */
    readonly programs: readonly { readonly lines: number; readonly codes: Readonly<Record<string, number>> }[];
    /** How the last runs ended, with what they reported by its codes. */
    readonly runs: readonly { readonly ended: string; readonly milliseconds: number | undefined; readonly codes: readonly string[] }[];
    readonly services: 'none' | 'local' | 'hosted';
    /** Settings that the user has given. */
    readonly given: Partial<Readonly<Record<SettingName, unknown>>>;
}

/** A report to be read and completed by the user, as Markdown. */
export function reportText(state: ReportedState, words: { readonly what: string; readonly steps: string; readonly state: string }): string {
    const { versions, trusted, programs, runs, services, given } = state;
    const lines = [
        ...Object.entries(versions).map(([name, version]) => `${name}: ${version}`),
        `workspace trusted: ${trusted}`,
        `services: ${services}`,
        ...Object.entries(given).map(([name, value]) => `setting ${name}: ${shownValue(name as SettingName, value)}`),
        ...programs.map(({ lines: count, codes }) => `open program: ${count} lines; problems: ${countsText(codes)}`),
        ...runs.map(({ ended, milliseconds, codes }) => {
            const time = milliseconds === undefined ? '' : ` after ${Math.round(milliseconds)} ms`;
            return `last run: ${ended}${time}; reports: ${codes.length === 0 ? 'none' : codes.join(' ')}`;
        }),
    ];
    return `### ${words.what}\n\n\n### ${words.steps}\n\n1. \n\n### ${words.state}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`;
}

/** Numbers, switches and choices say nothing about the user; of anything else it is only told that it is set. */
function shownValue(name: SettingName, value: unknown): string {
    const { type } = SETTINGS[name];
    return type === 'integer' || type === 'switch' || type === 'choice' ? JSON.stringify(value) : 'set';
}

function countsText(codes: Readonly<Record<string, number>>): string {
    const counts = Object.entries(codes).map(([code, count]) => `${count} ${code}`);
    return counts.length === 0 ? 'none' : counts.join(', ');
}
