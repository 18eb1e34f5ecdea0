/** `writ …`. */
import type { EffectCeiling, Writ, WritBody, WritScope } from 'rubicon-kernel'
import { buildPageSchema } from '../../http/schemas/shape.ts'
import {
  buildAnyOfSchema,
  buildClosedSchema,
  buildMapSchema,
  buildNullableSchema,
  count,
  type Family,
  flag,
  listOf,
  type Members,
  markOptional,
  type OutputSchema,
  text,
} from './shape.ts'

const scope: OutputSchema = buildClosedSchema({
  kind: text,
  resources: markOptional(buildMapSchema(listOf(text))),
} satisfies Members<WritScope>)

const ceiling: OutputSchema = buildClosedSchema({
  read: flag,
  write: flag,
  external: flag,
  irreversible: flag,
} satisfies Members<EffectCeiling>)

const body: OutputSchema = buildClosedSchema({
  tenant: text,
  issuer_key: text,
  subject: text,
  subject_key: markOptional(text),
  audience: text,
  nonce: text,
  parent: markOptional(text),
  scopes: listOf(scope),
  effect_ceiling: ceiling,
  budget: buildMapSchema(text),
  window: buildClosedSchema({ not_before: text, expires_at: text }),
  delegation: buildClosedSchema({ max_depth: count, may_delegate: flag }),
} satisfies Members<WritBody>)

const writ = {
  id: text,
  body,
  signature: buildClosedSchema({ key_id: text, sig: text }),
} satisfies Members<Writ>

export const WRITS: Family = {
  'writ issue': { prints: 'the writ, signed', shape: buildClosedSchema(writ) },
  'writ inspect': {
    prints: 'a writ and whether it is revoked (null: read from a file); without one, all of them',
    shape: buildAnyOfSchema(
      buildClosedSchema({ ...writ, revoked: buildNullableSchema(flag) }),
      buildPageSchema('writs', buildClosedSchema({ ...writ, revoked: flag })),
    ),
  },
  'writ attenuate': { prints: 'the narrower writ, signed', shape: buildClosedSchema(writ) },
  'writ revoke': {
    prints: 'what was revoked, why, and at which authority seq',
    shape: buildClosedSchema({ revoked: text, reason: text, seq: count }),
  },
}
