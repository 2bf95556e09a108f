/**
 * What Soufflé needed where no Soufflé is at hand: cpu seconds and peak megabytes of whole processes, programs compiled
 * for one thread with B-trees, medians of five alternating rounds on another machine with two cores (Debian 12). The same
 * rounds ran DuckDB on `join3` and `load`; what DuckDB needs here for these two says how the machines compare.
 */
export const REFERENCE = {
    souffle: {
        tc_rand1m: { cpu: 0.41, peak: 19 },
        tc_rand10m: { cpu: 4.77, peak: 147 },
        tc_chain2000: { cpu: 0.54, peak: 25 },
        tc_grid60: { cpu: 1.56, peak: 50 },
        tc_wide: { cpu: 3.17, peak: 111 },
        sg_tree: { cpu: 0.2, peak: 29 },
        sg_rand: { cpu: 0.53, peak: 25 },
        pt_large: { cpu: 1.57, peak: 23 },
        fpt: { cpu: 4.55, peak: 58 },
        join3: { cpu: 1.18, peak: 54 },
        load: { cpu: 1, peak: 40 },
    },
    duckdb: { join3: { cpu: 0.47, peak: 173 }, load: { cpu: 0.47, peak: 212 } },
};
