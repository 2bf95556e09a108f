import axe from 'axe-core';
import type { Locator } from 'playwright-core';

/** WCAG 2.2 A and AA, and what its authors hold good practice; landmarks are those of whole pages, which views are not. */
const ALL = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";
/** What themes differ in. */
const COLOURS = "{ type: 'rule', values: ['color-contrast', 'link-in-text-block'] }";
/** Rows of a grid look alike, and its first ones do for all. */
const REPEATED = '.row ~ .row ~ .row ~ .row ~ .row';
const run = (which: string): string => `axe.run({ exclude: ['${REPEATED}'] }, {
    runOnly: ${which},
    rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false }, 'landmark-one-main': { enabled: false } },
    resultTypes: ['violations'],
}).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ': ' + help + ': ' + target.join(' ') + ': ' + failureSummary.split('\\n')[1]?.trim())))`;

/** What axe has to say against a page or a frame, or against its colours alone, as texts. */
export async function accessibilityFaults(body: Locator, which: 'all' | 'colours' = 'all'): Promise<readonly string[]> {
    const frame = await (await body.elementHandle())?.ownerFrame();
    if (!frame) throw new Error('The page is gone');
    // The policies of the pages let no script in but their own; the debugger is not bound by them.
    if (!(await frame.evaluate<boolean>('window.axe !== undefined'))) await frame.evaluate(`${axe.source}\nundefined`);
    return await frame.evaluate<readonly string[]>(run(which === 'all' ? ALL : COLOURS));
}
