/** A registered public key. */
import { type JsonObject, KEY_PURPOSES } from 'rubicon-kernel'
import { boolean, buildEnum, buildWholeObject, integer, nameSchema, string } from './shape.ts'

export const keyRecord: JsonObject = nameSchema(
  'KeyRecord',
  buildWholeObject(
    {
      key_id: string,
      purpose: buildEnum(...KEY_PURPOSES),
      subject: string,
      public_key: string,
      added_seq: integer,
      retired_seq: integer,
      compromised_since_seq: integer,
      in_use: boolean,
    },
    ['retired_seq', 'compromised_since_seq'],
  ),
)
