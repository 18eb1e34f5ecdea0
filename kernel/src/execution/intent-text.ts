/**
 * The canonical text of an intent, kept in two halves. An intent is addressed without its id, signed
 * with it, and stored with the signature; both members stand between the halves in canonical order,
 * so that the rest is written once.
 */
import { assert } from '../assert.ts'
import type { Address } from '../canonical/address.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Signature } from '../keys/key.ts'
import type { IntentBody } from './intent.ts'

export type IntentText = {
  /** `{` and the members that sort before `intent_id`. */
  readonly before: string
  /** The members that sort after `kernel_signature`, and `}`. */
  readonly after: string
}

export function buildIntentText(body: IntentBody): IntentText {
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    assert(name < 'intent_id' || name > 'kernel_signature', 'id and signature keep their place')
    const half = name < 'intent_id' ? before : after
    half[name] = value
  }
  return {
    before: toCanonicalText(before as JsonValue).slice(0, -1),
    after: toCanonicalText(after as JsonValue).slice(1),
  }
}

/** What `intent_id` addresses. */
export function formatIntentBody({ before, after }: IntentText): string {
  return `${before},${after}`
}

/** What the kernel signs. */
export function formatIntentWithId({ before, after }: IntentText, id: Address): string {
  return `${before},"intent_id":"${id}",${after}`
}

/** What is stored and sent. */
export function formatSignedIntent(text: IntentText, id: Address, signature: Signature): string {
  const { before, after } = text
  const signed = toCanonicalText(signature)
  return `${before},"intent_id":"${id}","kernel_signature":${signed},${after}`
}
