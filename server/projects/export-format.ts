import type { JsonText } from '#server/protocol/json-text.ts';
import type { shownParts } from './concept-record.ts';

export const PROJECT_FORMAT = 'rulelang-project';
export const WORKSPACE_FORMAT = 'rulelang-workspace';

export interface ExportSummary {
    total_tables: number;
    total_rows: number;
}

/** A project as a file: what was saved of its concepts and dashboards. */
export interface ExportedProject {
    format: typeof PROJECT_FORMAT;
    version: 1;
    project: {
        id: string;
        name: string;
        description: string;
        metadata: JsonText;
        scope: string;
        author: string;
        created_at: string;
        updated_at: string;
    };
    concepts: (ReturnType<typeof shownParts> & {
        concept_name: string;
        output_predicate: string;
        concept_type: string;
    })[];
    dashboards: { id: string; name: string; definition: JsonText }[];
    summary: ExportSummary;
}

export interface ExportedWorkspace {
    format: typeof WORKSPACE_FORMAT;
    version: 1;
    projects: ExportedProject[];
    summary: ExportSummary;
}

/** Concepts and dashboards are the two tables of each project. */
export function summaryOf(
    projects: readonly { readonly concepts: readonly unknown[]; readonly dashboards: readonly unknown[] }[],
): ExportSummary {
    const rows = projects.map(({ concepts, dashboards }) => concepts.length + dashboards.length);
    return { total_tables: 2 * projects.length, total_rows: rows.reduce((sum, one) => sum + one, 0) };
}
