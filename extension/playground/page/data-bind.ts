/** A program with a clause that reads the rows of a file: behind its last bind, else behind the comments that it begins with. */
export function withBind(text: string, bind: string): string {
    const lines = text.split('\n');
    const lastBind = lines.findLastIndex(line => line.startsWith('@bind'));
    const firstClause = lines.findIndex(line => !/^\s*(?:%|$)/u.test(line));
    const end = lines.at(-1) === '' ? lines.length - 1 : lines.length;
    const at = lastBind >= 0 ? lastBind + 1 : firstClause >= 0 ? firstClause : end;
    return [...lines.slice(0, at), bind, ...lines.slice(at)].join('\n');
}
