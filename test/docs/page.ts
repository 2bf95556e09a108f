/** A fenced code block of a page: ```` ```language attribute name=value ````. */
export interface Block {
    readonly language: string;
    readonly attributes: ReadonlyMap<string, string>;
    readonly lines: readonly string[];
    /** One-based line of the opening fence. */
    readonly line: number;
}

/** The code blocks of a Markdown text. */
export function codeBlocks(markdown: string): Block[] {
    const lines = markdown.split('\n');
    const blocks: Block[] = [];
    for (let start = 0; start < lines.length; start++) {
        const [, fence, info] = /^(`{3,})(\w.*)$/u.exec(lines[start] ?? '') ?? [];
        if (fence === undefined || info === undefined) continue;
        const end = lines.indexOf(fence, start);
        const [language = '', ...attributes] = info.split(' ');
        blocks.push({
            language,
            attributes: new Map(attributes.map(attribute => [attribute.split('=')[0] ?? '', attribute.split('=')[1] ?? ''])),
            lines: lines.slice(start + 1, end),
            line: start + 1,
        });
        start = end;
    }
    return blocks;
}

/** A Markdown text in which blocks have other lines. */
export function withBlocks(markdown: string, replacements: ReadonlyMap<Block, readonly string[]>): string {
    const lines = markdown.split('\n');
    for (const [block, replacement] of [...replacements].sort(([left], [right]) => right.line - left.line)) {
        lines.splice(block.line, block.lines.length, ...replacement);
    }
    return lines.join('\n');
}

/** The commands of a console block, lines `$ command`, with the lines that each is shown to print. */
export function commands(block: Block): { readonly text: string; readonly shown: string[] }[] {
    const found: { text: string; shown: string[] }[] = [];
    for (const line of block.lines) {
        if (line.startsWith('$ ')) found.push({ text: line.slice(2), shown: [] });
        else found.at(-1)?.shown.push(line);
    }
    return found;
}

/** A text after the edits of a diff block: each run of `-` lines is replaced by the `+` lines below it. */
export function edited(text: string, block: Block): string {
    let result = text;
    for (let at = 0; at < block.lines.length; at++) {
        const removed = take('-');
        const added = take('+');
        if (removed.length === 0) continue;
        if (result.split(removed.join('\n')).length !== 2) {
            throw new Error(`line ${block.line}: not found exactly once: ${removed.join('\n')}`);
        }
        result = result.replace(removed.join('\n'), () => added.join('\n'));
        at--;

        function take(sign: string): string[] {
            const lines: string[] = [];
            for (let line = block.lines[at]; line?.startsWith(sign); line = block.lines[at]) {
                lines.push(line.slice(1));
                at++;
            }
            return lines;
        }
    }
    return result;
}
