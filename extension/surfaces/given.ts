/** What a view hands to the agent, which is asked about it. */
export interface Given {
    readonly about: 'rows' | 'explanation';
    readonly title: string;
    readonly text: string;
}
