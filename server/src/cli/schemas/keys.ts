/** `keys …`. */
import { KEY_PURPOSES } from 'rubicon-kernel'
import { keyRecord, shownKey } from '../../http/schemas/key.ts'
import { buildPageSchema } from '../../http/schemas/shape.ts'
import {
  buildClosedSchema,
  buildConstSchema,
  buildEnumSchema,
  buildNullableSchema,
  count,
  type Family,
  listOf,
  text,
} from './shape.ts'

export const KEYS: Family = {
  'keys list': {
    prints: 'registered public keys',
    shape: buildPageSchema('keys', keyRecord),
  },
  'keys show': { prints: 'one registered key', shape: shownKey },
  'keys register': {
    prints: 'the key that was registered, and where its private half is if it was made',
    shape: buildClosedSchema({
      action: buildConstSchema('add'),
      key_id: text,
      purpose: buildEnumSchema(KEY_PURPOSES),
      public_key: text,
      subject: text,
      private_key: buildNullableSchema(text),
    }),
  },
  'keys retire': {
    prints: 'which key was retired',
    shape: buildClosedSchema({ key_id: text, action: buildConstSchema('retire') }),
  },
  'keys seal': {
    prints: 'which key files were sealed',
    shape: buildClosedSchema({ files: listOf(text) }),
  },
  'keys unseal': {
    prints: 'which key files lie open again',
    shape: buildClosedSchema({ files: listOf(text) }),
  },
  'keys compromise': {
    prints: 'which key does not count, and from which authority seq on',
    shape: buildClosedSchema({
      key_id: text,
      action: buildConstSchema('compromise'),
      since_seq: count,
    }),
  },
}
