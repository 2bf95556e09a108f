import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/** A text of JSON as it is written, but with another text for a member of the objects in a list, where it has this one. */
export function withMemberRenamed(
    text: string,
    { list, member, from, to }: { readonly list: string; readonly member: string; readonly from: string; readonly to: string },
): string {
    const root = parseTree(text);
    const found = root?.type === 'object' ? findNodeAtLocation(root, [list]) : undefined;
    const named = (found?.type === 'array' ? (found.children ?? []) : []).flatMap((item): Node[] => {
        const value = item.type === 'object' ? findNodeAtLocation(item, [member]) : undefined;
        return value?.value === from ? [value] : [];
    });
    return named.reduceRight(
        (written, { offset, length }) => `${written.slice(0, offset)}${JSON.stringify(to)}${written.slice(offset + length)}`,
        text,
    );
}
