import { PLATFORM_ROUTES } from '#server/protocol/platform/routes.ts';

/**
 * The methods that a path has, none where there is no such path. A word of a path is never an id: `/dashboards/p/list` has the
 * methods of lists, not those of a dashboard called so. A slash at the end leaves nothing for an id.
 */
export function methodsAt(segments: readonly string[]): readonly string[] {
    const fitting = Object.values(PLATFORM_ROUTES).flatMap(({ path, method }) => {
        const parts = path.slice(1).split('/');
        const fits =
            parts.length === segments.length &&
            parts.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]));
        return fits ? [{ method, words: parts.map(part => (part.startsWith(':') ? 0 : 1)).join('') }] : [];
    });
    const [closest] = fitting
        .map(({ words }) => words)
        .sort()
        .reverse();
    return [...new Set(fitting.flatMap(({ method, words }) => (words === closest ? [method] : [])))];
}
