/** How the numbers of a text are written where that is not `1234.5`. */
export interface NumberForm {
    readonly decimal: string;
    /** The sign between groups of three digits, which may stand there. */
    readonly thousands?: string;
}
