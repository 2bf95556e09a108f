import type { EXPLANATIONS_ROUTES } from '#server/protocol/platform/routes/explanations.ts';
import type { ExplainedDerivation, ExplainedFact } from '#server/protocol/runs.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';

/** Why stored rows are there. */
export function explanationsRoutes({
    explanations,
}: Pick<PlatformContext, 'explanations'>): RouteHandlers<keyof typeof EXPLANATIONS_ROUTES> {
    return {
        explainRow: async ({ path, query }, { departure }) => {
            const { concept_name: concept, execution_id: executionId, scope, row, all } = query;
            const asked = { scope, projectId: path.project_id, concept, executionId, row, all };
            const { id, changed, fact, derivations, words } = await explanations.explain(asked, departure);
            const data = {
                explanation_id: id,
                changed_files: [...changed],
                fact: factOf(fact),
                derivations: derivations.map(derivationOf),
                words,
            };
            return { data };
        },
        expandExplanation: async ({ query }) => {
            const { explanation_id: id, node, all } = query;
            return { data: (await explanations.expand(id, node, all)).map(derivationOf) };
        },
    };
}

function factOf(fact: ExplainedFact) {
    return { ...fact };
}

function derivationOf({ rule, place, premises, absent, gives }: ExplainedDerivation) {
    return {
        rule,
        place,
        premises: premises.map(factOf),
        ...(absent !== undefined && { absent: [...absent] }),
        ...(gives !== undefined && { gives: [...gives] }),
    };
}
