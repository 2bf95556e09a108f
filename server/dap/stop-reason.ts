import type { Breakpoint } from './breakpoints.ts';
import type { Stop } from './player.ts';

/** Why it has stopped, in the words of the protocol. */
export function stopReason(stop: Stop, hit: readonly Breakpoint[]): { readonly reason: string } {
    switch (stop.kind) {
        case 'breakpoints': {
            const kinds = hit.map(({ kind }) => kind);
            return { reason: kinds.includes('rule') ? 'breakpoint' : kinds.includes('fact') ? 'function breakpoint' : 'exception' };
        }
        case 'start':
            return { reason: 'entry' };
        case 'end':
            return { reason: 'end' };
        case 'step':
        case 'pause':
            return { reason: stop.kind };
    }
}
