/** `writ …`. */
import type { EffectCeiling, Writ, WritBody, WritScope } from 'rubicon-kernel'
import {
  anyOf,
  closed,
  count,
  type Family,
  flag,
  listOf,
  type Members,
  mapOf,
  optional,
  orNull,
  type Schema,
  text,
} from './shape.ts'

const scope: Schema = closed({
  kind: text,
  resources: optional(mapOf(listOf(text))),
} satisfies Members<WritScope>)

const ceiling: Schema = closed({
  read: flag,
  write: flag,
  external: flag,
  irreversible: flag,
} satisfies Members<EffectCeiling>)

const body: Schema = closed({
  tenant: text,
  issuer_key: text,
  subject: text,
  subject_key: optional(text),
  audience: text,
  nonce: text,
  parent: optional(text),
  scopes: listOf(scope),
  effect_ceiling: ceiling,
  budget: mapOf(text),
  window: closed({ not_before: text, expires_at: text }),
  delegation: closed({ max_depth: count, may_delegate: flag }),
} satisfies Members<WritBody>)

const writ = {
  id: text,
  body,
  signature: closed({ key_id: text, sig: text }),
} satisfies Members<Writ>

export const WRITS: Family = {
  'writ issue': { prints: 'the writ, signed', shape: closed(writ) },
  'writ inspect': {
    prints: 'a writ and whether it is revoked (null: read from a file); without one, all of them',
    shape: anyOf(
      closed({ ...writ, revoked: orNull(flag) }),
      closed({ writs: listOf(closed({ ...writ, revoked: flag })) }),
    ),
  },
  'writ attenuate': { prints: 'the narrower writ, signed', shape: closed(writ) },
  'writ revoke': {
    prints: 'what was revoked, why, and at which authority seq',
    shape: closed({ revoked: text, reason: text, seq: count }),
  },
}
