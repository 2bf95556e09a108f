import { trustedScript } from '#extension/page/trusted-script.ts';

/** Has the page kept for when there is no network; browsers allow that to pages of this machine, and to those that come encrypted. */
export async function keepOffline(): Promise<void> {
    if (!('serviceWorker' in navigator)) return;
    await navigator.serviceWorker.register(trustedScript('rulelang-offline', 'offline.js')).catch(() => undefined);
}
