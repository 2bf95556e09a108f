/** A view's rows or explanation for a question to the agent. */
export interface Given {
    readonly about: 'rows' | 'explanation';
    readonly title: string;
    readonly text: string;
}
