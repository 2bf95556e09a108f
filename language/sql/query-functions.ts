/** Functions of the values of a group. */
const AGGREGATES = `
count count_star count_if sum avg min max any_value first last arg_min arg_max min_by max_by bool_and bool_or bit_and bit_or bit_xor product
median mode quantile quantile_cont quantile_disc stddev stddev_pop stddev_samp var_pop var_samp variance corr covar_pop covar_samp
string_agg group_concat listagg list array_agg
`;

/** Further functions for queries: their results depend on their arguments alone, and they reach no file, setting or clock. */
const FUNCTIONS = `
+ - * / // % ** ^ & | << >> ~ || @ ! -> ->> @> <@ && ~~ !~~ ~~* !~~* ~~~ like_escape not_like_escape ilike_escape not_ilike_escape
row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
abs ceil ceiling floor round trunc sign sqrt cbrt pow power exp ln log log2 log10 mod fmod greatest least
sin cos tan cot asin acos atan atan2 sinh cosh tanh degrees radians pi gcd lcm factorial gamma lgamma even
isnan isinf isfinite add subtract multiply divide
upper ucase lower lcase length len strlen char_length character_length size trim ltrim rtrim substr substring left right
concat concat_ws replace reverse repeat lpad rpad position strpos instr contains starts_with prefix ends_with suffix
split split_part string_split str_split string_to_array regexp_matches regexp_full_match regexp_replace regexp_extract regexp_extract_all
regexp_split_to_array translate ascii chr ord unicode initcap format printf md5 sha1 sha256 hash levenshtein editdist3 damerau_levenshtein
jaccard jaro_similarity jaro_winkler_similarity hamming strip_accents nfc_normalize
coalesce nullif ifnull if typeof
date_part datepart extract year month day hour minute second millisecond microsecond quarter week weekday dayofweek isodow dayofyear dayname monthname
date_trunc datetrunc date_diff datediff date_sub datesub date_add last_day make_date make_timestamp strftime strptime try_strptime
epoch epoch_ms epoch_us to_timestamp age century decade era isoyear yearweek to_days to_months to_years to_hours to_minutes to_seconds
date timestamp time_bucket
list_value list_element list_extract list_contains list_has list_position list_indexof list_sum list_avg list_min list_max list_count list_distinct
list_sort list_reverse_sort list_concat list_cat list_append list_prepend list_slice list_aggregate list_unique list_any_value
array_length array_contains array_extract array_slice array_sort array_concat array_append array_to_string flatten unnest generate_series range
struct_pack struct_extract row map map_keys map_values map_extract element_at cardinality
array_value list_transform list_filter list_reduce
`;

const AGGREGATE_NAMES = namesIn(AGGREGATES);
const ALLOWED = new Set([...AGGREGATE_NAMES, ...namesIn(FUNCTIONS)]);
const TABLE_FUNCTIONS = new Set(['unnest', 'range', 'generate_series']);

export function isQueryFunction(name: string): boolean {
    return ALLOWED.has(name.toLowerCase());
}

export function isQueryAggregate(name: string): boolean {
    return AGGREGATE_NAMES.has(name.toLowerCase());
}

export function isQueryTableFunction(name: string): boolean {
    return TABLE_FUNCTIONS.has(name.toLowerCase());
}

/** The functions that people call by their names. */
export const QUERY_FUNCTIONS: readonly string[] = [...ALLOWED].filter(name => /^[a-z]/u.test(name) && !/_escape$|^count_star$/u.test(name));

function namesIn(text: string): ReadonlySet<string> {
    return new Set(text.split(/\s+/u).filter(name => name !== ''));
}
