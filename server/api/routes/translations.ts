import { isModelConfigured } from '#server/model/configured-model.ts';
import { projectAnywhere } from '#server/projects/project.ts';
import { invalidText } from '#server/protocol/platform/api-error.ts';
import type { TRANSLATIONS_ROUTES } from '#server/protocol/platform/routes/translations.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';
import { modelRefusal } from './agent.ts';

/** Translations into programs. What no translator of this version covers is left to a language model. */
export function translationsRoutes({ store, configuration, tools }: PlatformContext): RouteHandlers<keyof typeof TRANSLATIONS_ROUTES> {
    const byModel = (): never => {
        throw modelRefusal(isModelConfigured(configuration));
    };
    return {
        translateText: async ({ path }) => {
            await projectAnywhere(store, path.project_id);
            return byModel();
        },
        translateSql: async ({ path, body }) => {
            await projectAnywhere(store, path.project_id);
            const answer = await tools.ask({ kind: 'analyze-sql', query: body.sql_data, name: 'result' });
            if (answer.kind === 'refused') throw invalidText('sql_invalid', answer.diagnostics);
            return byModel();
        },
        translateRdf: async ({ path, body }) => {
            const { id } = await projectAnywhere(store, path.project_id);
            const answer = await tools.ask({ kind: 'translate-rdf', text: body.rdf_data });
            if (answer.kind === 'refused') throw invalidText('rdf_invalid', answer.diagnostics);
            if (answer.kind !== 'program') return byModel();
            return { data: { rdf_data: body.rdf_data, rulelang_program: answer.text, project_id: id } };
        },
        translateOwl: async ({ path }) => {
            await projectAnywhere(store, path.project_id);
            return byModel();
        },
    };
}
