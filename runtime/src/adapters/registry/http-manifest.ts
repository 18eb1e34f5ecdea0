/**
 * A registry elsewhere, asked over HTTP.
 *
 * R1 only what the registry's key signed for this very question counts: neither another server nor an old answer.
 * R2 entries hang together from the first to the last that was ever taken, and `head` does not fall below what was known when it
 *    was asked: a registry that forgets a revocation is not answered for.
 * R3 whatever else comes, or nothing, rejects: the engine then goes on with what it remembers, for its time.
 * R4 where answers are kept, R2 holds across processes, and a registry that is away when a process starts has answered when it
 *    did last.
 * R5 what leaves this machine is encrypted; a redirect is not followed; an answer has a limit of time and of size.
 */
import { randomUUID } from 'node:crypto'
import { type Address, type Entry, type ManifestPage, readManifestEntries } from 'rubicon-kernel'
import type { ManifestSource } from '../../ports/manifest-source.ts'
import { sha256 } from '../system/sha256.ts'
import { KeptPages } from './kept-pages.ts'
import { isSignedPage, LARGEST_PAGE, parsePage, parseRegistryKey } from './signed-page.ts'

const TIMEOUT_MS = 5_000
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
  /** A folder of its own for what was answered: whoever starts during an outage goes on with it for the rest of its time. */
  readonly keptIn?: string
  /** Milliseconds of the wall clock. */
  readonly now?: () => number
}

type FetchedPage = { readonly bytes: Uint8Array; readonly page: ManifestPage }

/** Authority from a registry elsewhere; with it a process decides for the time of its cache while the registry is away. */
export function openHttpManifest(options: HttpManifestOptions): ManifestSource {
  const address = parseRegistryAddress(options.url)
  const key = parseRegistryKey(options.publicKey)
  const { tenant, keptIn, now = Date.now } = options
  const kept = keptIn === undefined ? null : new KeptPages({ folder: keptIn, key, tenant, now })
  let head = -1
  const known = new Map<number, Address>()
  // What was taken by an earlier process binds the registry as well.
  const earlier = kept?.load() ?? null
  if (earlier !== null) {
    holdAgainst(known, earlier.entries)
    head = earlier.entries.length - 1
  }

  const ask = async (from: number): Promise<readonly Entry[]> => {
    const nonce = randomUUID()
    const before = head
    const { bytes, page } = await fetchPage(address, options, { from, nonce })
    const { body } = page
    if (!isSignedPage(page, key)) throw new Error('the registry did not sign its answer')
    if (body.nonce !== nonce || body.from !== from || body.tenant !== options.tenant)
      throw new Error('the registry answered another question')
    const said = body.head ?? -1
    if (said < before) throw new Error('the registry knows less than it did')
    const entries = readManifestEntries(page, sha256)
    if (!entries.ok) throw new Error(`the registry: ${entries.error}`)
    holdAgainst(known, entries.value)
    // An answer that another one has overtaken is true of when it was asked for, and is not kept over the later one.
    if (said >= head) {
      head = said
      kept?.keep(bytes, page)
    }
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
    loadKept: async () => {
      const answer = kept?.load() ?? null
      const age_ms = answer === null ? -1 : now() - answer.at
      // A clock that was set back says nothing about how long ago it was.
      return answer === null || age_ms < 0 ? null : { entries: answer.entries, age_ms }
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
  { tenant, token, timeoutMs = TIMEOUT_MS }: HttpManifestOptions,
  { from, nonce }: { readonly from: number; readonly nonce: string },
): Promise<FetchedPage> {
  const url = new URL(address)
  url.pathname = PATH
  url.search = new URLSearchParams({ from: String(from), nonce }).toString()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, 'rubicon-tenant': tenant },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`the registry answered ${response.status}`)
  }
  const bytes = await readLimited(response)
  const page = parsePage(bytes)
  if (!page.ok) throw new Error(`the registry: ${page.error}`)
  return { bytes, page: page.value }
}

async function readLimited({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > LARGEST_PAGE) throw new Error('the registry says too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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
