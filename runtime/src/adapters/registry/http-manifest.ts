/**
 * A registry elsewhere, asked over HTTP.
 *
 * R1 only what the registry's key signed for this very question counts: neither another server nor an old answer.
 * R2 entries hang together from the first to the last that was ever taken, and `head` does not fall: a registry that forgets a
 *    revocation is not answered for.
 * R3 whatever else comes, or nothing, rejects: the engine then goes on with what it remembers, for its time.
 * R4 what leaves this machine is encrypted; a redirect is not followed; an answer has a limit of time and of size.
 */
import { createPublicKey, type KeyObject, randomUUID, verify } from 'node:crypto'
import {
  type Address,
  decodeBase64,
  type Entry,
  encodePreAuth,
  encodeUtf8,
  type ManifestPage,
  parseJson,
  parseManifestPage,
  readManifestEntries,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import type { ManifestSource } from '../../ports/manifest-source.ts'
import { sha256 } from '../system/sha256.ts'

const TIMEOUT_MS = 5_000
const LARGEST = 64 * 1024 * 1024
/** As deep as verifiers read an entry, and the page around it: what a registry could record can be read. */
const DEEPEST = 130
/** Before the 32 bytes of an Ed25519 key. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
const PATH = '/v1/registry/entries'

/** Where authority is read from. */
export type HttpManifestOptions = {
  /** The registry: an address with https, or http on this machine. */
  readonly url: string
  /** Its checkpoint key: 32 bytes in base64, obtained elsewhere. */
  readonly publicKey: string
  /** Whose authority. */
  readonly tenant: string
  /** Of somebody who may read there. */
  readonly token: string
  /** How long an answer may take; 5 seconds when nobody says. */
  readonly timeoutMs?: number
}

/** Authority from a registry elsewhere; with it a process decides for the time of its cache while the registry is away. */
export function openHttpManifest(options: HttpManifestOptions): ManifestSource {
  const address = parseRegistryAddress(options.url)
  const key = parseRegistryKey(options.publicKey)
  let head = -1
  const known = new Map<number, Address>()

  const ask = async (from: number): Promise<readonly Entry[]> => {
    const nonce = randomUUID()
    const page = await fetchPage(address, options, { from, nonce })
    const { body } = page
    if (!isSigned(page, key)) throw new Error('the registry did not sign its answer')
    if (body.nonce !== nonce || body.from !== from || body.tenant !== options.tenant)
      throw new Error('the registry answered another question')
    if ((body.head ?? -1) < head) throw new Error('the registry knows less than it did')
    const entries = readManifestEntries(page, sha256)
    if (!entries.ok) throw new Error(`the registry: ${entries.error}`)
    holdAgainst(known, entries.value)
    head = body.head ?? -1
    return entries.value
  }

  return {
    head: async () => {
      await ask(Math.max(head, 0))
      return head
    },
    entries: async (from, limit) => {
      const entries = [...(await ask(from))]
      // A page ends where it has become long enough.
      while (entries.length < limit && from + entries.length <= head) {
        const more = await ask(from + entries.length)
        if (more.length === 0) throw new Error('the registry does not hand out what it has')
        entries.push(...more)
      }
      return entries.slice(0, limit)
    },
  }
}

/** What was taken once stays as it was, and what comes follows it. */
function holdAgainst(known: Map<number, Address>, entries: readonly Entry[]): void {
  for (const { envelope, id } of entries) {
    const { seq, parent } = envelope
    const before = known.get(seq - 1)
    const isSame = known.get(seq) === undefined || known.get(seq) === id
    if (!isSame || (before !== undefined && parent !== before))
      throw new Error(`the registry changed entry ${seq}`)
  }
  for (const { envelope, id } of entries) known.set(envelope.seq, id)
}

async function fetchPage(
  address: URL,
  { token, timeoutMs = TIMEOUT_MS }: HttpManifestOptions,
  { from, nonce }: { readonly from: number; readonly nonce: string },
): Promise<ManifestPage> {
  const url = new URL(address)
  url.pathname = PATH
  url.search = new URLSearchParams({ from: String(from), nonce }).toString()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`the registry answered ${response.status}`)
  }
  const value = parseJson(await readLimited(response), {
    depth: DEEPEST,
    bytes: LARGEST,
    keys: LARGEST,
  })
  if (!value.ok) throw new Error(`the registry: ${value.error.detail}`)
  const page = parseManifestPage(value.value)
  if (!page.ok) throw new Error(`the registry: ${page.error}`)
  return page.value
}

async function readLimited({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > LARGEST) throw new Error('the registry says too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function isSigned({ body, signature }: ManifestPage, key: KeyObject): boolean {
  const covered = encodePreAuth(toPayloadType('manifest'), encodeUtf8(toCanonicalText(body)))
  return verify(null, covered, key, decodeBase64(signature.sig) ?? new Uint8Array(0))
}

function parseRegistryKey(text: string): KeyObject {
  const raw = decodeBase64(text)
  if (raw?.length !== 32) throw new Error('the key of a registry is 32 bytes in base64')
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' })
}

function parseRegistryAddress(address: string): URL {
  const url = URL.parse(address)
  if (url === null) throw new Error('the address of a registry is no URL')
  if (url.username !== '' || url.password !== '')
    throw new Error('the address of a registry holds a password: give a token instead')
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!safe) throw new Error('a registry beyond this machine needs https')
  return url
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
