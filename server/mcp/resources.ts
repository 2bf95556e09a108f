import { pathToFileURL } from 'node:url';
import type { Resource, TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import { say } from '#language/program/say.ts';
import type { Section } from '#server/assistant/documentation.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { fileOf } from '#server/tools/program-file.ts';
import type { ToolPlace } from '#server/tools/tool.ts';
import { ToolError } from '#server/tools/tool-error.ts';
import { walkPrograms } from '#server/workspace/walk-programs.ts';

/** Programs and concepts of each project that are listed at most. */
const MOST = 200;
const DOCUMENTATION = 'rulelang://documentation';
const CONCEPT = /^rulelang:\/\/concept\/([^/]+)\/([^/]+)$/u;

/** Pages of the documentation, programs in the folders, and concepts of the service where one runs. */
export async function listResources(place: ToolPlace): Promise<Resource[]> {
    return [...documentationPages(place), ...programs(place), ...(await concepts(place))];
}

export async function readResource(uri: string, place: ToolPlace): Promise<TextResourceContents> {
    if (uri.startsWith(`${DOCUMENTATION}/`)) {
        const sections = (place.documentation?.sections ?? []).filter(({ url }) => pageOf(url) === uri.slice(DOCUMENTATION.length));
        if (sections.length === 0) throw new ToolError('validation_error', say`There is no page '${uri}'`);
        return { uri, mimeType: 'text/markdown', text: sections.map(({ title, text }) => `# ${title}\n\n${text}`).join('\n\n') };
    }
    const [, project, name] = CONCEPT.exec(uri) ?? [];
    if (project !== undefined) {
        const found = await place.platform().listConcepts({ path: { project_id: decodeURIComponent(project) }, query: { scope: 'user' } });
        const concept = found.find(one => encodeURIComponent(one.concept_name) === name);
        if (concept === undefined) throw new ToolError('concept_not_found', say`There is no concept '${uri}'`);
        return { uri, mimeType: 'text/x-rulelang', text: concept.definition };
    }
    if (place.folder === undefined || !URL.canParse(uri) || new URL(uri).protocol !== 'file:' || !uri.endsWith('.rulelang'))
        throw new ToolError('validation_error', say`There is no resource '${uri}'`);
    return { uri, mimeType: 'text/x-rulelang', text: readNamedText(fileOf(decodeURIComponent(new URL(uri).pathname), place.folder)).text };
}

function documentationPages({ documentation }: ToolPlace): Resource[] {
    const pages = new Map<string, Section>();
    for (const section of documentation?.sections ?? []) if (!pages.has(pageOf(section.url))) pages.set(pageOf(section.url), section);
    return [...pages].map(([page, { title }]) => ({
        uri: `${DOCUMENTATION}${page}`,
        name: page.slice(1),
        title,
        mimeType: 'text/markdown',
    }));
}

/** `/docs/language` of `/docs/language#rules`. */
function pageOf(url: string): string {
    return url.replace(/^\/docs/u, '').replace(/#.*$/u, '');
}

function programs({ folder }: ToolPlace): Resource[] {
    const found: Resource[] = [];
    if (!folder?.hasFiles) return found;
    for (const path of walkPrograms(folder.folders)) {
        if (path !== undefined) found.push({ uri: pathToFileURL(path).href, name: path, mimeType: 'text/x-rulelang' });
        if (found.length === MOST) break;
    }
    return found;
}

/** None where no service runs: the rest can be read all the same. */
async function concepts({ platform, signal }: ToolPlace): Promise<Resource[]> {
    try {
        const client = platform();
        const projects = await client.listProjects({ query: { scopes: 'user' } }, signal);
        const lists = await Promise.all(
            projects.map(async ({ id }) => {
                const list = await client.listConcepts({ path: { project_id: id }, query: { scope: 'user' } }, signal);
                return list.slice(0, MOST).map(({ concept_name: name, description }) => ({
                    uri: `rulelang://concept/${encodeURIComponent(id)}/${encodeURIComponent(name)}`,
                    name,
                    description,
                    mimeType: 'text/x-rulelang',
                }));
            }),
        );
        return lists.flat();
    } catch {
        return [];
    }
}
