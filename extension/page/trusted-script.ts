/** What TypeScript does not know yet of the page's guard against scripts that are made of text. */
interface TrustedTypes {
    createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The address of a script beside the page, for a worker. The page names in its policy of contents by which policy it is let through; once for each. */
export function trustedScript(policy: string, file: string): string {
    const { href } = new URL(file, import.meta.url);
    const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
    return trustedTypes?.createPolicy(policy, { createScriptURL: () => href }).createScriptURL(href) ?? href;
}
