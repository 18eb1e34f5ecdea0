/** A registered public key. */
import { type JsonObject, KEY_PURPOSES } from 'rubicon-kernel'
import {
  allowNull,
  boolean,
  buildEnum,
  buildWholeObject,
  integer,
  nameSchema,
  string,
} from './shape.ts'

const members = {
  key_id: string,
  purpose: buildEnum(...KEY_PURPOSES),
  subject: string,
  public_key: string,
  added_seq: integer,
  retired_seq: integer,
  compromised_since_seq: integer,
  in_use: boolean,
}
/** Of one that is in use. */
const NOT_YET = ['retired_seq', 'compromised_since_seq']

export const keyRecord: JsonObject = nameSchema('KeyRecord', buildWholeObject(members, NOT_YET))

/** With what others verify the notes of the log with, of a checkpoint key. */
export const shownKey: JsonObject = nameSchema(
  'ShownKey',
  buildWholeObject({ ...members, verifier_key: allowNull(string) }, NOT_YET),
)
