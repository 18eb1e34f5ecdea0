/** What the routes of a tenant are made of. */
import type { Lookups } from '../lookups/lookup.ts'
import type { ServerParts } from '../server-parts.ts'

export type RouteParts = ServerParts & { readonly lookups: Lookups }
