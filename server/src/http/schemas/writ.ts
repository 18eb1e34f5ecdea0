/** A signed document of authority, and whether it was revoked. */
import type { JsonObject } from 'rubicon-kernel'
import { boolean, buildWholeObject, nameSchema, open, string } from './shape.ts'

export const writ: JsonObject = nameSchema(
  'Writ',
  buildWholeObject({
    id: string,
    body: open,
    signature: buildWholeObject({ key_id: string, sig: string }),
    revoked: boolean,
  }),
)
