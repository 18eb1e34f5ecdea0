/** `keys …`. */
import { KEY_PURPOSES } from 'rubicon-kernel'
import { key, shownKey } from './pieces.ts'
import { always, closed, count, type Family, listOf, oneOf, orNull, text } from './shape.ts'

export const KEYS: Family = {
  'keys list': { prints: 'registered public keys', shape: closed({ keys: listOf(key) }) },
  'keys show': { prints: 'one registered key', shape: shownKey },
  'keys register': {
    prints: 'the key that was registered, and where its private half is if it was made',
    shape: closed({
      action: always('add'),
      key_id: text,
      purpose: oneOf(KEY_PURPOSES),
      public_key: text,
      subject: text,
      private_key: orNull(text),
    }),
  },
  'keys retire': {
    prints: 'which key was retired',
    shape: closed({ key_id: text, action: always('retire') }),
  },
  'keys seal': {
    prints: 'which key files were sealed',
    shape: closed({ files: listOf(text) }),
  },
  'keys unseal': {
    prints: 'which key files lie open again',
    shape: closed({ files: listOf(text) }),
  },
  'keys compromise': {
    prints: 'which key does not count, and from which authority seq on',
    shape: closed({ key_id: text, action: always('compromise'), since_seq: count }),
  },
}
