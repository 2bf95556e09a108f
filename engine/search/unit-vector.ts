/** The vector at length 1; one of zeros stays. It is scaled by its largest part first, so that no square overflows. */
export function unitVector(vector: ArrayLike<number>): Float64Array {
    const unit = Float64Array.from(vector);
    let largest = 0;
    for (const x of unit) largest = Math.max(largest, Math.abs(x));
    if (largest === 0) return unit;
    let squares = 0;
    for (let i = 0; i < unit.length; i++) {
        unit[i]! /= largest;
        squares += unit[i]! * unit[i]!;
    }
    const length = Math.sqrt(squares);
    for (let i = 0; i < unit.length; i++) unit[i]! /= length;
    return unit;
}

/** The cosine of two vectors of length 1, the second of which begins at a place: their products, in four sums, which a processor adds at the same time. */
export function cosineOfUnits(a: Float64Array, b: Float64Array, from = 0): number {
    const dimensions = a.length;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let i = 0;
    for (; i + 3 < dimensions; i += 4) {
        s0 += a[i]! * b[from + i]!;
        s1 += a[i + 1]! * b[from + i + 1]!;
        s2 += a[i + 2]! * b[from + i + 2]!;
        s3 += a[i + 3]! * b[from + i + 3]!;
    }
    for (; i < dimensions; i++) s0 += a[i]! * b[from + i]!;
    return Math.max(-1, Math.min(1, s0 + s1 + (s2 + s3)));
}
