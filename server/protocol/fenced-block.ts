/** Returns the program in a model's answer: its first fenced block, which may lack its end, or all of it. */
export function fencedBlock(answer: string): string {
    const lines = answer.split('\n');
    const start = lines.findIndex(line => /^\s*(?:```|~~~)/u.test(line));
    if (start === -1) return answer.trim();
    const fence = lines[start]?.trim().slice(0, 3) ?? '';
    const end = lines.findIndex((line, i) => i > start && line.trim().startsWith(fence));
    return lines
        .slice(start + 1, end === -1 ? undefined : end)
        .join('\n')
        .trim();
}
