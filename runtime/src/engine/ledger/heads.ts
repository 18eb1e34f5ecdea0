/**
 * Who signs the heads and seals of this process, and which of them it believes.
 *
 * Invariants:
 * 1. A head or a seal counts under a certificate of the checkpoint key that is held here, or of one that the
 *    ledger has from the operator who is known here. Whoever writes to the database could add a key to
 *    it, and with that a head of his own.
 * 2. Nothing is signed before a certificate was made, and that needs the checkpoint key.
 */
import {
  AUTHORITY,
  buildHeadBody,
  decodeBase64,
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  err,
  findCertifiedProblem,
  formatInstant,
  type HeadBody,
  type HeadCertificate,
  type HeadedTree,
  type HeadTrust,
  isObject,
  type KeyPayload,
  LIMITS,
  ok,
  parseHeadText,
  parseJson,
  parsePayload,
  parseSealText,
  type Result,
  type SealBody,
  type SealedBatch,
  sealBody,
  toCanonicalText,
  toPayloadType,
  toSignedBytes,
} from 'rubicon-kernel'
import type { HeadKeeper, OpenedSeal, StoredSeal } from '../../ports/tree.ts'
import { HeldChain } from '../authority/held-chain.ts'
import type { Deps } from '../deps.ts'
import { composeCanonicalObject } from '../rows/canonical-object.ts'
import { signDocument } from '../rows/sign.ts'

export class Heads implements HeadKeeper {
  readonly #deps: Deps
  #origin = ''
  /** As canonical text: it stands in every head and seal. */
  #certificate: string | null = null
  /** Batches sealed so far with the head key. */
  #batches = 0
  /** Raw checkpoint keys by their id. */
  #keys: ReadonlyMap<string, Uint8Array> = new Map()
  readonly #ended: Ended

  constructor(deps: Deps) {
    this.#deps = deps
    const chain = new HeldChain(deps.sha256)
    this.#ended = { chain, compromised: new Set(), operators: new Map() }
  }

  get isSigning(): boolean {
    return this.#certificate !== null
  }

  /** This process signs heads of that log. */
  isSigningFor(origin: string): boolean {
    return this.#certificate !== null && origin === this.#origin
  }

  /** Raw: what counts here by now. */
  listCheckpointKeys(): readonly Uint8Array[] {
    return [...this.#keys.values()]
  }

  /** Which log it is, and whose certificates count in it by now. */
  async follow(origin: string): Promise<void> {
    if (origin !== this.#origin) this.#certificate = null
    this.#origin = origin
    this.#keys = await loadCheckpointKeys(this.#deps, this.#ended)
  }

  /** From here on this process signs. */
  async certify(): Promise<void> {
    const { clock, headKey } = this.#deps
    const { key_id, public_key } = headKey
    const made_at = formatInstant(clock.now())
    const body = { origin: this.#origin, key_id, public_key, made_at }
    const signature = await signDocument(
      { ...this.#deps, authorities: null },
      'checkpoint',
      'head-key',
      body,
    )
    const certificate: HeadCertificate = { body, signature }
    this.#certificate = toCanonicalText(certificate)
  }

  sign(tree: HeadedTree): string {
    return this.#signCertified('head', buildHeadBody(this.#origin, tree))
  }

  seal(batch: SealedBatch): StoredSeal {
    const { headKey, sha256 } = this.#deps
    const body = sealBody(this.#origin, this.#batches, batch, sha256)
    this.#batches += 1
    return { keyId: headKey.key_id, body, text: this.#signCertified('seal', body) }
  }

  openSeal(text: string): Result<OpenedSeal, string> {
    const seal = parseSealText(text)
    if (seal === undefined) return err('it cannot be read')
    const problem = findCertifiedProblem('seal', seal, this.#trust)
    if (problem !== undefined) return err(problem)
    return ok({ keyId: seal.signature.key_id, body: seal.body })
  }

  learn(): Promise<void> {
    return this.follow(this.#origin)
  }

  #signCertified(type: 'head' | 'seal', body: HeadBody | SealBody): string {
    const certificate = this.#certificate
    if (certificate === null) throw new Error(`no ${type} is signed without a certificate`)
    const { headKey } = this.#deps
    const sig = encodeBase64(headKey.sign(toSignedBytes(type, body)))
    return composeCanonicalObject({
      body: toCanonicalText(body),
      certificate,
      signature: toCanonicalText({ key_id: headKey.key_id, sig }),
    })
  }

  keep(head: string): void {
    this.#deps.headPlace?.write(head)
  }

  findHeadProblem(text: string | null, tree: HeadedTree): string | undefined {
    if (text === null) return 'there is none'
    const head = parseHeadText(text)
    if (head === undefined) return 'it cannot be read'
    const problem = findCertifiedProblem('head', head, this.#trust)
    if (problem !== undefined) return problem
    const { size, root, authority } = buildHeadBody(this.#origin, tree)
    if (head.body.size !== size) return `it covers ${head.body.size} entries, and there are ${size}`
    if (head.body.root !== root) return `it covers another tree of ${size} entries`
    if (head.body.authority === authority) return undefined
    return `authority ended with entry ${head.body.authority}, and not with ${authority}`
  }

  get #trust(): HeadTrust {
    const { headKey, sha256 } = this.#deps
    const findCheckpointKey = (id: string): Uint8Array | undefined => this.#keys.get(id)
    return {
      origin: this.#origin,
      checkpointKey: findCheckpointKey,
      verify: headKey.verify,
      sha256,
    }
  }
}

/**
 * What ended, as this process has seen it once. The store is read as it stands: whoever writes to it could
 * take a compromise out again, or repeat behind it what was signed before.
 */
type Ended = {
  readonly chain: HeldChain
  /** Keys that nobody believes any more, whoever adds them again. */
  readonly compromised: Set<string>
  /** By operator, the seq from which on his word about keys counts no more. */
  readonly operators: Map<string, number>
}

/**
 * The key that is held here, and what an operator signed into the ledger: the operator whose key is
 * held here, or the first of the ledger where none is, and those that these added, each as long as he was one.
 */
async function loadCheckpointKeys(
  deps: Deps,
  ended: Ended,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { signer, headKey } = deps
  const known = new Map<string, Uint8Array>()
  const operators = new Map<string, Uint8Array>()
  const keep = (keys: Map<string, Uint8Array>, id: string, key: string): void => {
    const raw = decodeBase64(key)
    if (raw !== undefined) keys.set(id, raw)
  }
  const operator = signer.publicKey('operator')
  if (operator !== null) keep(operators, operator.key_id, operator.public_key)
  let reachesBack = false
  for await (const { seq, payload } of iterateKeyEntries(deps, ended.chain)) {
    const { body, signature } = payload
    const { action, purpose, key_id, public_key } = body
    if (operators.size === 0 && purpose === 'operator') keep(operators, key_id, public_key)
    const by = operators.get(signature.key_id)
    if (by === undefined || seq >= (ended.operators.get(signature.key_id) ?? seq + 1)) continue
    const message = encodePreAuth(toPayloadType('key'), encodeUtf8(toCanonicalText(body)))
    if (!headKey.verify(by, message, decodeSignature(signature.sig))) continue
    if (action === 'add' && purpose === 'operator') keep(operators, key_id, public_key)
    if (action === 'add' && purpose === 'checkpoint') keep(known, key_id, public_key)
    // Retired, it certified in its time; compromised, whoever has it could certify anything.
    if (action === 'compromise') ended.compromised.add(key_id)
    if (action === 'add' || purpose !== 'operator') continue
    const end = action === 'retire' ? seq + 1 : (body.since_seq ?? seq)
    if (end >= (ended.operators.get(key_id) ?? end + 1)) continue
    ended.operators.set(key_id, end)
    reachesBack ||= end < seq
  }
  // What he said between then and now was taken for his.
  if (reachesBack) return loadCheckpointKeys(deps, ended)
  for (const id of ended.compromised) known.delete(id)
  const own = signer.publicKey('checkpoint')
  if (own !== null) keep(known, own.key_id, own.public_key)
  return known
}

type KeyEntry = { readonly seq: number; readonly payload: KeyPayload }

async function* iterateKeyEntries({ store }: Deps, chain: HeldChain): AsyncIterable<KeyEntry> {
  for (let from = 0; ; from += LIMITS.entriesPerPage) {
    const page = await store.listEntries(AUTHORITY, from, LIMITS.entriesPerPage)
    chain.check(page)
    for (const { envelope, payload: text } of page) {
      const payload = envelope.kind === 'key' && text !== null ? readKey(text) : undefined
      if (payload !== undefined) yield { seq: envelope.seq, payload }
    }
    if (page.length < LIMITS.entriesPerPage) return
  }
}

/** Only signed ones are believed. What is no key entry is nobody's word; where it stands, others find it. */
function readKey(text: string): KeyPayload | undefined {
  const parsed = parseJson(text)
  const payload =
    parsed.ok && isObject(parsed.value) ? parsePayload('key', parsed.value) : undefined
  return payload?.ok && payload.value.kind === 'key' ? payload.value.payload : undefined
}

function decodeSignature(sig: string): Uint8Array {
  return decodeBase64(sig) ?? new Uint8Array(0)
}
