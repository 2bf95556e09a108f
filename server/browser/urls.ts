/** Addresses of files in the place of Node's: paths are those of the file system in memory, which begin with a slash. */
export function fileURLToPath(url: string | URL): string {
    const { protocol, pathname } = new URL(url);
    if (protocol !== 'file:') throw new TypeError(`${url} names no file`);
    return decodeURIComponent(pathname);
}

export function pathToFileURL(path: string): URL {
    return new URL(`file://${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`);
}
