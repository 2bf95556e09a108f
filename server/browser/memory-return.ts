/** Browsers give memory back by themselves. */
export function memoryReturn(): () => void {
    return () => undefined;
}
