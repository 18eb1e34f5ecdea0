/** A signed document of authority, and whether it was revoked. */
import type { JsonObject } from 'rubicon-kernel'
import { boolean, named, open, string, whole } from '../routes/shape.ts'

export const writ: JsonObject = named(
  'Writ',
  whole({
    id: string,
    body: open,
    signature: whole({ key_id: string, sig: string }),
    revoked: boolean,
  }),
)
