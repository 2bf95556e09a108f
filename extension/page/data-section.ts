import type { Source } from '#extension/sources/source.ts';
import { listSources } from '#extension/sources/source-list.ts';
import type { Given } from '#extension/surfaces/given.ts';
import { askAgent } from './agent-section.ts';
import { dataActions } from './data-actions.ts';
import { dataSurface } from './data-surface.ts';
import { hasProject, type MountedSurface, type ServicesHost } from './section.ts';
import { sourceView } from './source-view.ts';

/** The table that is shown, so that another look at it does not read it again. */
let opened: { readonly key: string; readonly client: ServicesHost['client']; readonly mounted: MountedSurface } | undefined;
/** The column whose profile is asked for with the table that is opened next. */
let wanted: string | undefined;

/** The sources that were connected, or the first rows of the table that the route names. */
export async function openData(host: ServicesHost): Promise<MountedSurface> {
    const { client, item, mayChange, go } = host;
    const sources = await listSources(client, []);
    const source = sources.find(({ id }) => id === item);
    if (source !== undefined && mayChange) return openTable(host, source);
    return {
        root: dataSurface(sources, {
            mayChange,
            actions: dataActions(host, sources),
            open(id, column) {
                wanted = column;
                go(id);
            },
        }),
        followsRuns: true,
    };
}

function openTable(host: ServicesHost, source: Source): MountedSurface {
    const { client, announce } = host;
    const column = wanted;
    wanted = undefined;
    if (opened?.key === source.id && opened.client === client && column === undefined) return opened.mounted;
    const view = sourceView(client, source, {
        announce,
        ...(hasProject(host) && { ask: ({ about, title, text }: Given) => void askAgent(host, { kind: about, title, text }) }),
    });
    view.read(column);
    const mounted: MountedSurface = {
        root: view.root,
        item: source.id,
        title: source.name,
        followsRuns: true,
        key: event => view.key(event),
        close() {
            view.close();
            if (opened?.mounted === mounted) opened = undefined;
        },
    };
    opened = { key: source.id, client, mounted };
    return mounted;
}
