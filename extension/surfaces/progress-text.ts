import { rowsText } from './count-words.ts';
import { l10n } from './l10n.ts';
import { visible } from './visible-text.ts';

/** How far the evaluation of a program is. */
export interface Evaluating {
    readonly phase: 'loading' | 'evaluating' | 'writing';
    readonly stratum: number;
    readonly strata: number;
    /** Of all predicates so far. */
    readonly row_count: number;
    /** Whose rows are being found, and how many it has so far. */
    readonly predicate: { readonly name: string; readonly row_count: number } | null;
}

/** `Evaluating stratum 3 of 7 · control: 1,204,331 rows`. */
export function evaluatingText({ phase, stratum, strata, row_count: all, predicate }: Evaluating): string {
    const rows =
        predicate !== null
            ? [l10n.t('{0}: {1}', visible(predicate.name), rowsText(predicate.row_count))]
            : all === 0
              ? []
              : [rowsText(all)];
    return [phaseText(phase, stratum, strata), ...rows].join(' · ');
}

function phaseText(phase: Evaluating['phase'], stratum: number, strata: number): string {
    switch (phase) {
        case 'loading':
            return l10n.t('Reading data');
        case 'evaluating':
            return strata > 1 ? l10n.t('Evaluating stratum {0} of {1}', stratum, strata) : l10n.t('Evaluating');
        case 'writing':
            return l10n.t('Writing files');
    }
}

/** `Concept 2 of 5 · owners · Evaluating stratum 3 of 7 · control: 1,204,331 rows`; nothing of the concept where it is the only one. */
export function chainText({ concept_name: name, step, steps, ...now }: Evaluating & Chain): string {
    return [...(steps > 1 ? [l10n.t('Concept {0} of {1}', step, steps), visible(name)] : []), evaluatingText(now)].join(' · ');
}

interface Chain {
    readonly concept_name: string;
    /** From 1. */
    readonly step: number;
    readonly steps: number;
}
