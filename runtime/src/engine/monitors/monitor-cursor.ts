/** How far monitors have come. Its version tells whether what was read of samples still holds. */
export const CURSOR = { record: 'monitor_cursor', group: 'all', key: 'all' } as const
