import { l10n, type QuickInput, QuickInputButtons, type QuickPickItem, window } from 'vscode';

/** Said where the user goes back to the question before. */
export const BACK = Symbol('back');

interface Step {
    readonly title: string;
    /** Its place among the questions, from 1. */
    readonly step?: number;
    readonly steps?: number;
    /** There is a question before it. */
    readonly back?: boolean;
}

export interface TextStep extends Step {
    readonly prompt: string;
    readonly value?: string;
    /** It is not shown in clear. */
    readonly hidden?: boolean;
    /** What is wrong with what stood there; said until it is changed. */
    readonly fault?: string | undefined;
    check?(text: string): string | undefined;
}

/** Asks for a text; nothing where the user leaves. */
export function askText(asked: TextStep): Promise<string | typeof BACK | undefined> {
    const { prompt, value = '', hidden = false, fault, check } = asked;
    const box = window.createInputBox();
    box.prompt = prompt;
    box.value = value;
    box.password = hidden;
    box.buttons = buttonsOf(asked);
    box.validationMessage = fault;
    // What is wrong stands in the place of what is asked.
    const title = fault === undefined ? asked.title : l10n.t('{0}: {1}', asked.title, prompt);
    return answered(box, { ...asked, title }, settle => {
        box.onDidChangeValue(text => {
            box.validationMessage = check?.(text);
        });
        box.onDidAccept(() => {
            box.validationMessage = check?.(box.value);
            if (box.validationMessage === undefined) settle(box.value);
        });
        box.onDidTriggerButton(() => settle(BACK));
    });
}

/** Asks for one of several; nothing where the user leaves. */
export function askChoice<T extends QuickPickItem>(
    items: readonly T[],
    asked: Step & { readonly placeholder?: string },
): Promise<T | typeof BACK | undefined> {
    const pick = window.createQuickPick<T>();
    pick.items = items;
    pick.placeholder = asked.placeholder;
    pick.buttons = buttonsOf(asked);
    return answered(pick, asked, settle => {
        pick.onDidAccept(() => settle(pick.selectedItems[0]));
        pick.onDidTriggerButton(() => settle(BACK));
    });
}

function buttonsOf({ back }: Step) {
    return back === true ? [QuickInputButtons.Back] : [];
}

function answered<A>(input: QuickInput, { title, step, steps }: Step, hear: (settle: (answer: A | undefined) => void) => void) {
    input.title = title;
    input.step = step;
    input.totalSteps = steps;
    input.ignoreFocusOut = true;
    return new Promise<A | undefined>(resolve => {
        hear(resolve);
        input.onDidHide(() => resolve(undefined));
        input.show();
    }).finally(() => input.dispose());
}
