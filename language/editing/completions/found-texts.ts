import type { TextRange } from '#language/document/open-document.ts';
import type { Candidate, Completion } from '../completion.ts';

export interface FoundTexts {
    readonly items: Iterable<Completion | Candidate>;
    readonly range: TextRange;
    readonly prefix: string;
    /** A source has been asked for more, and has not answered. */
    readonly isPending?: boolean;
}
