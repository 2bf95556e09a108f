import posix from 'path-browserify';

/** Paths in the place of Node's: a browser has those of the file system in memory alone. */
export { posix as default, posix, posix as win32 };
export const { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } = posix;
