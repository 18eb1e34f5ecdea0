/**
 * Writs by address, with their signature already checked. A writ is immutable and addressed by its
 * content, so that neither can change; whether its key still counts is asked anew each time.
 */
import {
  type Authority,
  findAgentStatus,
  type KeyRecord,
  type SignatureFact,
  toCanonicalText,
  type Writ,
  type WritFact,
  type WritPayload,
} from 'rubicon-kernel'
import type { WritRef } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { checkSignature } from '../rows/sign.ts'
import type { OwnSignatures } from './own-signatures.ts'

const WRITS_MAX = 10_000

type Needed = Pick<Deps, 'store' | 'checker'> & { readonly own?: OwnSignatures }

export class WritCache {
  readonly #deps: Needed
  readonly #writs = new Map<string, Writ>()
  /** The canonical text of a body, until its signature is checked. */
  readonly #texts = new Map<string, string>()
  readonly #checked = new Map<string, boolean>()
  /** Of flows that are nowhere yet: nobody could read them again. */
  readonly #held = new Map<string, Writ>()

  constructor(deps: Needed) {
    this.#deps = deps
  }

  /** Remembers a writ that this process has just made durable. */
  remember(writ: Writ, text?: string): void {
    if (this.#writs.size >= WRITS_MAX) this.#forget()
    this.#writs.set(writ.id, writ)
    if (text !== undefined) this.#texts.set(writ.id, text)
  }

  /** Of a flow that is about to be opened; it is known until it is let go of, whatever else is remembered. */
  hold(writ: Writ, text: string): void {
    this.#held.set(writ.id, writ)
    this.#texts.set(writ.id, text)
  }

  release({ id }: Pick<Writ, 'id'>): void {
    this.#held.delete(id)
    this.#texts.delete(id)
  }

  peek(id: string): Writ | undefined {
    return this.#held.get(id) ?? this.#writs.get(id)
  }

  async load(ref: WritRef): Promise<Writ | null> {
    const known = this.peek(ref.id)
    if (known !== undefined) return known
    const found =
      (await this.#readFromFlow(ref)) ?? (await this.#deps.store.readWrit(ref.id))?.writ ?? null
    if (found !== null) this.remember(found)
    return found
  }

  /** What the kernel is told about a writ: its signature, and whether it, its key or its holder has ended. */
  async buildWritFact(writ: Writ, authority: Authority): Promise<WritFact> {
    const { id, body, signature } = writ
    const key = authority.keys.get(signature.key_id)
    const valid = key !== undefined && (await this.#isSigned(writ, key))
    return {
      id,
      nonce: body.nonce,
      revoked:
        authority.revokedWrits.has(id) || findAgentStatus(authority, body.subject) === 'RETIRED',
      signature: toSignatureFact(key, signature.key_id, valid),
    }
  }

  #forget(): void {
    this.#writs.clear()
    this.#texts.clear()
    this.#checked.clear()
  }

  async #readFromFlow({ id, nonce }: WritRef): Promise<Writ | null> {
    for (const entry of await this.#deps.store.listFlowEntries(nonce, ['writ'])) {
      if (entry.envelope.kind !== 'writ' || entry.payload === null) continue
      const { writ } = parseWritPayload(entry.payload)
      if (writ.id === id) return writ
    }
    return null
  }

  async #isSigned({ id, body, signature }: Writ, key: KeyRecord): Promise<boolean> {
    const name = `${id} ${signature.sig} ${key.public_key}`
    const known = this.#checked.get(name)
    if (known !== undefined) return known
    const text = this.#texts.get(id) ?? toCanonicalText(body)
    this.#texts.delete(id)
    const valid = await checkSignature(this.#deps, key.public_key, 'writ', text, signature.sig)
    this.#checked.set(name, valid)
    return valid
  }
}

function parseWritPayload(text: string): WritPayload {
  return JSON.parse(text) as WritPayload
}

/** A compromised key speaks for nobody; a retired one still stands behind what it signed before. */
export function toSignatureFact(
  key: KeyRecord | undefined,
  keyId: string,
  valid: boolean,
): SignatureFact {
  const counts = key !== undefined && key.compromised_since_seq === undefined
  return {
    key_id: keyId,
    purpose: counts ? key.purpose : null,
    subject: counts ? key.subject : null,
    valid,
  }
}
