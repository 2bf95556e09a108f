import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';
import type { ToolCall } from './current-call.ts';

/** Describes the call of a tool in a few words; an unknown tool goes by its name. */
export function callTitle({ tool, input: given }: ToolCall): string {
    const concept = visible(String(given['name'] ?? ''));
    switch (tool) {
        case 'list_concepts':
            return l10n.t('List the concepts');
        case 'read_concept':
            return l10n.t('Read {0}', concept);
        case 'save_concept':
            return l10n.t('Write {0}', concept);
        case 'edit_concept':
            return l10n.t('Change {0}', concept);
        case 'check':
            return l10n.t('Check a program');
        case 'analyze_program':
            return l10n.t('Analyse a program');
        case 'run_concept':
            return l10n.t('Run {0}', concept);
        case 'fetch_results':
            return l10n.t('Read rows of {0}', concept);
        case 'facts_near':
            return l10n.t('Look for facts about {0}', visible(listed(given['values'])));
        case 'validate_rows':
            return l10n.t('Check rows of {0}', concept);
        case 'explain':
            return l10n.t('Explain row {0} of {1}', Number(given['row'] ?? 0) + 1, concept);
        case 'why_not':
            return l10n.t('Ask why {0} is missing', visible(String(given['fact'] ?? concept)));
        case 'list_sources':
            return l10n.t('List the sources');
        case 'infer_schema':
            return l10n.t('Infer a program from {0}', concept);
        case 'translate':
            return l10n.t('Translate {0}', visible(String(given['from'] ?? '').toUpperCase()));
        case 'search_docs':
            return l10n.t('Search the documentation');
        default:
            return visible(tool);
    }
}

function listed(values: unknown): string {
    return Array.isArray(values) ? values.join(', ') : '';
}
