/** A fenced code block of a page: ```` ```language attribute name=value ````. */
export interface Block {
    readonly language: string;
    readonly attributes: ReadonlyMap<string, string>;
    readonly lines: readonly string[];
    /** One-based line of the opening fence. */
    readonly line: number;
}

/** A command of a console block with the output that the page shows for it. */
export interface Command {
    readonly text: string;
    readonly shown: string;
}

/** The code blocks of a Markdown text. */
export function codeBlocks(markdown: string): Block[] {
    const lines = markdown.split('\n');
    const blocks: Block[] = [];
    for (let start = 0; start < lines.length; start++) {
        const fence = /^(?<indent> *)```(?<info>\w.*)$/u.exec(lines[start] ?? '');
        if (fence === null) continue;
        const end = lines.findIndex((line, index) => index > start && line.trim() === '```');
        const [language = '', ...attributes] = (fence.groups?.info ?? '').split(' ');
        const indent = fence.groups?.indent?.length ?? 0;
        blocks.push({
            language,
            attributes: new Map(attributes.map(attribute => [attribute.split('=')[0] ?? '', attribute.split('=')[1] ?? ''])),
            lines: lines.slice(start + 1, end).map(line => line.slice(indent)),
            line: start + 1,
        });
        start = end;
    }
    return blocks;
}

/** The commands of a console block: a line `$ command`, and below it what it prints. */
export function commands(block: Block): Command[] {
    const found: { text: string; shown: string[] }[] = [];
    for (const line of block.lines) {
        if (line.startsWith('$ ')) found.push({ text: line.slice(2), shown: [] });
        else found.at(-1)?.shown.push(line);
    }
    return found.map(({ text, shown }) => ({ text, shown: shown.join('\n').trimEnd() }));
}

/** A text after the edits of a diff block: each run of `-` lines is replaced by the `+` lines below it. */
export function edited(text: string, block: Block): string {
    let result = text;
    for (let at = 0; at < block.lines.length; ) {
        const removed = take('-');
        const added = take('+');
        if (removed.length + added.length === 0) at++;
        else if (result.split(removed.join('\n')).length !== 2)
            throw new Error(`line ${block.line}: not found exactly once: ${removed.join('\n')}`);
        else result = result.replace(removed.join('\n'), () => added.join('\n'));

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
