import type { ForeignForm } from './foreign-form.ts';

/** Names and texts in forms that the language does not have. */
export const NAME_FORMS: readonly ForeignForm[] = [
    {
        pattern: /(?<=[(,]\s*)[A-Za-z]\w*(?:[ \t]+[A-Za-z]\w*)+(?=\s*[,)])/gu,
        written: ([words]) => (/\b(?:not|in|and|or|is|mod|AND|OR|NOT)\b/u.test(words ?? '') ? undefined : `"${words}"`),
    },
    {
        pattern: /(@[A-Za-z]\w*)[ \t]+(?:"([^"]*)"|([a-z]\w*))(?=\s*(?:\.|$))/gu,
        written: ([, annotation, quoted, bare]) => `${annotation}("${quoted ?? bare}")`,
    },
    { pattern: /^@[ \t]+([A-Za-z]\w*)/gu, written: ([, name]) => `@${name}` },
    { pattern: /^(?:import|include|using)\s+"([\w-]+)(?:\.\w+)?"/gu, written: ([, name]) => `@include("${name}")` },
    { pattern: /(?<=[(,]\s*)(?:\w+:\/\/[^\s,()"]+|[\w.+-]+@[\w-]+\.[\w.-]+)(?=\s*[,)])/gu, written: ([address]) => `"${address}"` },
    { pattern: /\b\d{1,2}:\d{2}(?::\d{2})?\b/gu, written: ([time]) => `"${time}"` },
    { pattern: /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/gu, written: ([, year = '', month = '', day = '']) => calendarDate(day, month, year) },
    { pattern: /\b(\d+(?:\.\d+)?)\s?[€£$]/gu, written: ([, number]) => number },
    {
        name: ([name]) => name.trim(),
        pattern: /(?<=[a-z]\w*\((?:[^()]*,)?\s*)[a-z]\w*\s*[:=]\s*(?=[A-Za-z_"\d][^=:()]*(?:,|\)))/gu,
        written: () => '',
        instead: 'columns are told apart by their place',
    },
    { pattern: /\b([a-z]\w*)\[([^[\]]*)\]/gu, written: ([, name, terms]) => `${name}(${terms})` },
    { pattern: /"([a-z]\w*)"(?=\()/gu, written: ([, name]) => name },
    { pattern: /\b[a-z]\w*(?:-[a-z]\w*)+(?=\()/gu, written: ([name = '']) => name.replaceAll('-', '_') },
    {
        pattern: /(?<![\w)\]"])[a-z]\w*[ \t]+[a-z]\w*(?=\()/gu,
        written: ([words = '']) => (/^(?:not|in|and|or|is|mod|if|where|when)\b/u.test(words) ? undefined : words.replace(/\s+/u, '_')),
    },
    {
        pattern: /(?<=[(,]\s*)(?:[\w-]+\/)*[\w-]+\.(?:csv|json|tsv|txt|parquet|xlsx|rulelang)(?=\s*[,)])/gu,
        written: ([path]) => `"${path}"`,
    },
    {
        pattern: /\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/gu,
        written: ([, first = '', second = '', year = '']) => calendarDate(first, second, year),
    },
];

/** Day before month, unless only the other order is a date. */
function calendarDate(first: string, second: string, year: string): string | undefined {
    const [day, month] = Number(second) > 12 ? [second, first] : [first, second];
    if (Number(month) > 12 || Number(day) > 31) return undefined;
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
