/** A worker ends with the one that started it. */
export function endWithParent(): void {
    // Browsers see to it.
}
