/** What is said of a tool in one word: how its effect behaves, and how bad it can be. */

/**
 * How an effect behaves when its answer is lost:
 * `read` changes nothing; `put_if_match` is conditional; `keyed` is deduplicated by the provider
 * inside a window; `queryable` can be asked about afterwards; `unsafe` is none of these.
 */
export type EffectClass = 'read' | 'put_if_match' | 'keyed' | 'queryable' | 'unsafe'
/** How bad an effect can be. */
export type RiskClass = 'low' | 'medium' | 'high' | 'critical'
