/** How a command went; tests and other callers of commands see it. */
export type CommandOutcome = 'done' | 'untrusted' | 'nothing to do' | 'failed';
