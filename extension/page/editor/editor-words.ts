import { EditorState, type Extension } from '@codemirror/state';
import { l10n } from '#extension/surfaces/l10n.ts';

/** What the editor says by itself, in the words of the page. */
export function editorWords(): Extension {
    return EditorState.phrases.of({
        Find: l10n.t('Find'),
        Replace: l10n.t('Replace'),
        next: l10n.t('next'),
        previous: l10n.t('previous'),
        all: l10n.t('all'),
        'match case': l10n.t('match case'),
        'by word': l10n.t('by word'),
        regexp: l10n.t('regular expression'),
        replace: l10n.t('replace'),
        'replace all': l10n.t('replace all'),
        close: l10n.t('close'),
        'Go to line': l10n.t('Go to line'),
        go: l10n.t('go'),
        'current match': l10n.t('current match'),
        'on line': l10n.t('on line'),
        'replaced match on line $': l10n.t('replaced match on line {0}', '$'),
        'replaced $ matches': l10n.t('replaced {0} matches', '$'),
        Diagnostics: l10n.t('Problems'),
        'No diagnostics': l10n.t('No problems'),
        Completions: l10n.t('Completions'),
        'Control character': l10n.t('Control character'),
        'Selection deleted': l10n.t('Selection deleted'),
    });
}
