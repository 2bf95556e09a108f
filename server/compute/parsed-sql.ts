/** A node of what DuckDB's `json_serialize_sql` gives for a text; its shape depends on what it stands for. */
export interface ParsedNode {
    [name: string]: unknown;
}

/** Stands before the digits of an integer that a double may not hold. */
const MARK = '\ue000';

/** Reads the JSON of a parsed query. Large integers become marked texts, which `writeParsed` writes as they were. */
export function readParsed(json: string): unknown {
    return JSON.parse(
        json.replaceAll(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gu, part =>
            part.startsWith('"') ? part : `"${MARK}${part}"`,
        ),
    );
}

export function writeParsed(parsed: unknown): string {
    return JSON.stringify(parsed).replaceAll(new RegExp(`"${MARK}(-?\\d+)"`, 'gu'), '$1');
}

export function isNode(value: unknown): value is ParsedNode {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The nodes of a tree, which may be deep; what `isLeaf` holds for is not entered. */
export function* nodesIn(root: unknown, isLeaf: (node: ParsedNode) => boolean = () => false): Iterable<ParsedNode> {
    const work = [root];
    for (let i = 0; i < work.length; i++) {
        const value = work[i];
        if (Array.isArray(value)) for (const one of value) work.push(one);
        else if (isNode(value)) {
            yield value;
            if (isLeaf(value)) continue;
            for (const part of Object.values(value)) if (typeof part === 'object') work.push(part);
        }
    }
}

export function textsIn(value: unknown): string[] {
    return Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
}

export function listIn(value: unknown): ParsedNode[] {
    return Array.isArray(value) ? value.filter(isNode) : [];
}
