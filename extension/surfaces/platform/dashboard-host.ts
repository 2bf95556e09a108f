import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import type { DashboardConcept, DashboardHost } from '../dashboard/dashboard-host.ts';
import { paramsOf } from '../written-parameters.ts';
import { briefly } from './failure.ts';
import { storedRows } from './stored-rows.ts';

/** A dashboard of a project. */
export interface DashboardPlace {
    readonly scope: 'user' | 'organization';
    readonly project: string;
    readonly dashboard: string;
}

type Client = Parameters<typeof storedRows>[0] & Pick<PlatformClient, 'listConcepts' | 'runConcept' | 'getDashboard' | 'saveDashboard'>;
type Concept = Awaited<ReturnType<PlatformClient['listConcepts']>>[number];

interface Surroundings extends Pick<DashboardHost, 'drafted' | 'open' | 'copyLink' | 'copied' | 'announce'> {
    /** Whether concepts may be run, and the dashboard saved. */
    readonly mayChange: boolean;
    /** When what is shown was saved. */
    readonly updatedAt: string;
    /** It was saved by this page, at that time. */
    saved?(updatedAt: string): void;
}

/** What a dashboard asks for, asked of the services. */
export function dashboardHost(client: Client, { scope, project, dashboard: id }: DashboardPlace, around: Surroundings): DashboardHost {
    const { mayChange, saved, drafted, open, copyLink, copied, announce } = around;
    const path = { project_id: project };
    let { updatedAt } = around;
    const read = () => client.getDashboard({ path: { ...path, dashboard_id: id }, query: { scope } });
    return {
        async concepts() {
            const all = await client.listConcepts({ path, query: { scope } });
            const byName = new Map(all.map(concept => [concept.concept_name, concept]));
            const described = all.map(concept => describedConcept(concept, byName));
            return described.sort((one, other) => (one.name < other.name ? -1 : 1));
        },
        async rows(concept, replaced) {
            try {
                return await storedRows(client, { scope, project, concept }, replaced);
            } catch (reason) {
                if (reason instanceof PlatformError && reason.code === 'results_not_found') return undefined;
                throw reason;
            }
        },
        ...(mayChange && {
            async run(concept, written, signal) {
                const params = paramsOf(Object.entries(written).map(([name, text]) => ({ name, written: text })));
                await client.runConcept({ path: { ...path, concept_name: concept }, body: { scope, params } }, signal);
            },
            async save(definition, anyway) {
                // The services keep whatever comes last: what others have saved is found out before.
                if (!anyway && (await read()).updated_at !== updatedAt) return 'changed';
                await client.saveDashboard({ path, body: { scope, dashboard: { id, definition: definition as Record<string, unknown> } } });
                ({ updated_at: updatedAt } = await read());
                saved?.(updatedAt);
                return 'saved';
            },
        }),
        async load() {
            const { definition, updated_at } = await read();
            updatedAt = updated_at;
            return definition;
        },
        drafted,
        open,
        copyLink,
        copied,
        announce,
        wordsOf: briefly,
    };
}

/** A concept runs with the parameters of all that it reads. */
function describedConcept(
    { concept_name: name, columns, is_stale: isStale, ...first }: Concept,
    all: ReadonlyMap<string, Concept>,
): DashboardConcept {
    const seen = new Set([name]);
    const parameters = new Map<string, string | undefined>();
    const visit = ({ params, dependencies }: Pick<Concept, 'params' | 'dependencies'>): void => {
        for (const { name: parameter, default: usual } of params)
            if (!parameters.has(parameter)) parameters.set(parameter, usual === null || usual === undefined ? undefined : jsonOf(usual));
        for (const other of dependencies) {
            const found = all.get(other);
            if (found === undefined || seen.has(other)) continue;
            seen.add(other);
            visit(found);
        }
    };
    visit(first);
    return { name, columns, isStale, parameters: Array.from(parameters, ([parameter, usual]) => ({ name: parameter, usual })) };
}
