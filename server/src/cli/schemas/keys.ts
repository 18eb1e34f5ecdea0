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
    prints: 'the registered key, and the file of its private key if one was generated',
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
    prints: 'the key files that were encrypted',
    shape: buildClosedSchema({ files: listOf(text) }),
  },
  'keys unseal': {
    prints: 'the key files that were decrypted',
    shape: buildClosedSchema({ files: listOf(text) }),
  },
  'keys compromise': {
    prints: 'the compromised key, and the authority seq from which its signatures are invalid',
    shape: buildClosedSchema({
      key_id: text,
      action: buildConstSchema('compromise'),
      since_seq: count,
    }),
  },
}
