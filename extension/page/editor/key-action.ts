import type { Command, EditorView } from '@codemirror/view';

/** What a key does, whatever else it may do elsewhere. */
export function doing(act: (view: EditorView) => void): Command {
    return view => {
        act(view);
        return true;
    };
}
