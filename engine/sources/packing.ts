/** How the bytes of a file are packed: RFC 1952, RFC 8878. */
export type Packing = 'gzip' | 'zstd';

const BY_WORD: ReadonlyMap<string, Packing | undefined> = new Map<string, Packing | undefined>([
    ['none', undefined],
    ['uncompressed', undefined],
    ['gzip', 'gzip'],
    ['gz', 'gzip'],
    ['zstd', 'zstd'],
    ['zst', 'zstd'],
]);

/** The packing that the option `compression` names, else that of the name of the file; `unknown` hears of any other word. */
export function packingOf(word: string | undefined, file: string, unknown: () => never): Packing | undefined {
    if (word === undefined) return BY_WORD.get(/\.(gz|zst)$/iu.exec(file)?.[1]?.toLowerCase() ?? 'none');
    const key = word.trim().toLowerCase();
    return BY_WORD.has(key) ? BY_WORD.get(key) : unknown();
}

/** The name of a file without the ending that says how it is packed. */
export function unpackedName(file: string): string {
    return file.replace(/\.(?:gz|zst)$/iu, '');
}
