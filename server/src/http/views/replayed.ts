/** Says that nothing was done now: what became of it is that of an earlier request. */
export const REPLAYED = { 'idempotent-replayed': 'true' } as const
