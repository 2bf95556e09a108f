import type { EXPLANATIONS_ROUTES } from '#server/protocol/platform/routes/explanations.ts';
import { mutable } from '../mutable.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';

/** Why stored rows are there, and why others are missing. */
export function explanationsRoutes({
    explanations,
}: Pick<PlatformContext, 'explanations'>): RouteHandlers<keyof typeof EXPLANATIONS_ROUTES> {
    return {
        explainRow: async ({ path, query: { concept_name: concept, execution_id: executionId, ...asked } }, { departure }) => {
            const rows = { ...asked, projectId: path.project_id, concept, executionId };
            const { id, changed, ...explanation } = await explanations.explain(rows, departure);
            return { data: { explanation_id: id, changed_files: [...changed], ...mutable(explanation) } };
        },
        expandExplanation: async ({ query: { explanation_id: id, node, all } }, { departure }) => ({
            data: mutable(await explanations.expand(id, node, all, departure)),
        }),
        explainMissing: async ({ path, query: { concept_name: concept, execution_id: executionId, ...asked } }, { departure }) => {
            const rows = { ...asked, projectId: path.project_id, concept, executionId };
            const { id, changed, answer } = await explanations.whyMissing(rows, departure);
            const { kind: _, ...told } = answer;
            return { data: { explanation_id: id, changed_files: [...changed], ...mutable(told) } };
        },
        explainAbsence: async ({ query: { explanation_id: id, node } }, { departure }) => ({
            data: mutable(await explanations.absence(id, node, departure)),
        }),
    };
}
