import type { shownParts } from '#server/concepts/concept-record.ts';

export const PROJECT_FORMAT = 'rulelang-project';
export const WORKSPACE_FORMAT = 'rulelang-workspace';

export interface ExportSummary {
    readonly total_tables: number;
    readonly total_rows: number;
}

/** A project as a file: what was saved of its concepts and dashboards. */
export interface ExportedProject {
    readonly format: typeof PROJECT_FORMAT;
    readonly version: 1;
    readonly project: {
        readonly id: string;
        readonly name: string;
        readonly description: string;
        readonly metadata: Readonly<Record<string, unknown>>;
        readonly scope: string;
        readonly author: string;
        readonly created_at: string;
        readonly updated_at: string;
    };
    readonly concepts: readonly (ReturnType<typeof shownParts> & {
        readonly concept_name: string;
        readonly output_predicate: string;
        readonly concept_type: string;
    })[];
    readonly dashboards: readonly { readonly id: string; readonly name: string; readonly definition: unknown }[];
    readonly summary: ExportSummary;
}

export interface ExportedWorkspace {
    readonly format: typeof WORKSPACE_FORMAT;
    readonly version: 1;
    readonly projects: readonly ExportedProject[];
    readonly summary: ExportSummary;
}

/** Concepts and dashboards are the two tables of each project. */
export function summaryOf(
    projects: readonly { readonly concepts: readonly unknown[]; readonly dashboards: readonly unknown[] }[],
): ExportSummary {
    const rows = projects.map(({ concepts, dashboards }) => concepts.length + dashboards.length);
    return { total_tables: 2 * projects.length, total_rows: rows.reduce((sum, one) => sum + one, 0) };
}
