import type { VsCode } from './harness.ts';

/** What a model writes, for the comment of a program that is without a rule. */
export const RULES = 'large(X) <- controls(X, Y), controls(X, Z), Y != Z.\n@output("large").';
export const block = (rules: string): { readonly text: readonly string[] } => ({ text: ['Here:\n```rulelang\n', `${rules}\n\`\`\`\n`] });

/** Opens a program that ends with such a comment, where the cursor is. */
export async function comment({ host }: Pick<VsCode, 'host'>): Promise<void> {
    await host('closeAll');
    await host('open', 'control/control.rulelang');
    await host('append', '\n% who controls two companies at least');
    await host('command', 'cursorBottom');
}
