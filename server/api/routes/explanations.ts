import { toldProof } from '#server/model/told-proof.ts';
import type { EXPLANATIONS_ROUTES } from '#server/protocol/platform/routes/explanations.ts';
import { mutable } from '../mutable.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';

/** Why stored rows are there, and why others are missing. */
export function explanationsRoutes({
    explanations,
    models,
}: Pick<PlatformContext, 'explanations' | 'models'>): RouteHandlers<keyof typeof EXPLANATIONS_ROUTES> {
    return {
        explainRow: async ({ path, query: { concept_name: concept, execution_id: executionId, ...asked } }, { departure }) => {
            const rows = { ...asked, projectId: path.project_id, concept, executionId };
            const { id, changed, ...explanation } = await explanations.explain(rows, departure);
            return { data: { explanation_id: id, changed_files: [...changed], ...mutable(explanation) } };
        },
        tellRow: async ({ path, body: { concept_name: concept, execution_id: executionId, ...asked } }, { caller, departure }) => {
            const model = models.model(caller.username);
            const rows = { ...asked, projectId: path.project_id, concept, executionId };
            const { changed, steps, namesAmong } = await explanations.proof(rows, departure);
            const told = await toldProof(model, steps, namesAmong, departure);
            return {
                data: {
                    model: model.name,
                    changed_files: [...changed],
                    ...mutable(told),
                    steps: steps.map(({ fact, rules }) => ({ fact, rules: [...rules] })),
                },
            };
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
