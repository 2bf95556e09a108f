import { linkedRanges } from '#language/editing/linked-ranges.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature } from '../language-server.ts';

/** The pattern of a variable while the user types it; it may be empty. */
const TYPED = '[A-Za-z0-9_]*';

/** A variable is typed at all its places in a rule at once. */
export const linkedEditing: Feature = {
    capabilities: () => ({ linkedEditingRangeProvider: true }),
    register: server =>
        server.connection.languages.onLinkedEditingRange(
            aboutPlace(server, 'textDocument/linkedEditingRange', (document, offset) => {
                const ranges = linkedRanges(document.program, offset);
                return ranges && { ranges: ranges.map(range => document.rangeOf(range)), wordPattern: TYPED };
            }),
        ),
};
