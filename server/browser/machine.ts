const GIBIBYTE = 1024 ** 3;

/** The memory of the machine, in the place of Node's `os`: browsers do not say how much there is, and let no worker use more. */
export const totalmem = (): number => 4 * GIBIBYTE;

/** The folder for files of the user. */
export const homedir = (): string => '/';

/** A run has one thread. */
export const availableParallelism = (): number => 1;
