/** A browser starts no services, so that there is no page of theirs to open. */
export const OPEN_PAGE = 'rulelang.openPage';

export const opensPage = (): boolean => false;

export const hasPage = (): boolean => false;

export async function openPage(): Promise<null> {
    return null;
}
