/** Whose certificates count, where whoever writes to the database holds a key that counted once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AUTHORITY,
  computeEntryId,
  deriveKeyId,
  type Entry,
  type Envelope,
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  hashPayload,
  type KeyBody,
  type KeyPurpose,
  PROTOCOL_VERSION,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { derivePrivateKey, signNow, toRawPublicKey } from '../../adapters/system/ed25519.ts'
import { createHeadKey } from '../../adapters/system/head-key.ts'
import { systemRandom } from '../../adapters/system/random.ts'
import { sha256 } from '../../adapters/system/sha256.ts'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { Signer } from '../../ports/signer.ts'
import type { Deps } from '../deps.ts'
import { Heads } from './heads.ts'

const ORIGIN = 'rubicon/default/operator-0/0'

type Party = ReturnType<typeof party>

function party(name: string) {
  const key = derivePrivateKey(sha256(encodeUtf8(name)))
  const raw = toRawPublicKey(key)
  return {
    public_key: encodeBase64(raw),
    idFor: (purpose: KeyPurpose) => deriveKeyId(purpose, raw, sha256),
    sign: (message: Uint8Array) => signNow(key, message),
  }
}

const FIRST = party('first operator')
const SECOND = party('second operator')
const OWN = party('own checkpoint key')
const OTHER = party('other checkpoint key')

/** The authority trajectory as the database says it is, and what is said in it about keys. */
class Book {
  readonly entries: Entry[] = []

  say(by: Party, of: Party, purpose: KeyPurpose, rest: Partial<KeyBody> = {}): void {
    const body: KeyBody = {
      action: 'add',
      key_id: of.idFor(purpose),
      purpose,
      public_key: of.public_key,
      subject: 'somebody',
      ...rest,
    }
    const message = encodePreAuth(toPayloadType('key'), encodeUtf8(toCanonicalText(body)))
    const possession = body.action === 'add' ? { possession: encodeBase64(of.sign(message)) } : {}
    const signature = { key_id: by.idFor('operator'), sig: encodeBase64(by.sign(message)) }
    this.write(toCanonicalText({ body, ...possession, signature }))
  }

  write(payload: string): void {
    const envelope: Envelope = {
      v: PROTOCOL_VERSION,
      tenant: 'default',
      trajectory: AUTHORITY,
      seq: this.entries.length,
      parent: this.entries.at(-1)?.id ?? null,
      kind: 'key',
      at: '2026-02-01T09:30:00.000Z',
      payload_hash: hashPayload(payload, sha256),
    }
    this.entries.push({ id: computeEntryId(envelope, sha256), envelope, payload })
  }
}

function headsOver(book: Book, held: Party): Heads {
  const signer: Signer = {
    publicKey: (purpose) =>
      purpose === 'checkpoint' || (purpose === 'operator' && held === FIRST)
        ? { key_id: held.idFor(purpose), public_key: held.public_key }
        : null,
    sign: async (_purpose, message) => held.sign(message),
  }
  const store = { listEntries: async (_of: string, from: number) => book.entries.slice(from) }
  const headKey = createHeadKey(systemRandom)
  const clock = { now: () => 0 }
  return new Heads({ signer, store, headKey, clock, sha256 } as unknown as Deps)
}

/** Does a seal of a process that holds that checkpoint key count here? */
async function counts(here: Heads, holder: Party, book: Book): Promise<boolean> {
  const there = headsOver(book, holder)
  await there.follow(ORIGIN)
  await there.certify()
  const { text } = there.seal({ size: 0, authority: 0, ids: [] })
  await here.learn()
  return here.openSeal(text).ok
}

async function begun(): Promise<{ readonly book: Book; readonly here: Heads }> {
  const book = new Book()
  book.say(FIRST, FIRST, 'operator')
  book.say(FIRST, OWN, 'checkpoint')
  book.say(FIRST, SECOND, 'operator')
  const here = headsOver(book, OWN)
  await here.follow(ORIGIN)
  return { book, here }
}

test('a checkpoint key that an operator added counts, until it is compromised', async () => {
  const { book, here } = await begun()
  assert.equal(await counts(here, OTHER, book), false)
  book.say(SECOND, OTHER, 'checkpoint')
  assert.equal(await counts(here, OTHER, book), true)
  book.say(FIRST, OTHER, 'checkpoint', { action: 'retire' })
  assert.equal(await counts(here, OTHER, book), true)
  book.say(FIRST, OTHER, 'checkpoint', { action: 'compromise', since_seq: 4 })
  assert.equal(await counts(here, OTHER, book), false)
})

test('what added a key is not repeated behind its compromise', async () => {
  const { book, here } = await begun()
  book.say(FIRST, OTHER, 'checkpoint')
  book.say(FIRST, OTHER, 'checkpoint', { action: 'compromise', since_seq: 4 })
  book.write(book.entries[3]?.payload ?? '')
  assert.equal(await counts(here, OTHER, book), false)
})

test('a compromise that was seen is not taken out of the database', async () => {
  const { book, here } = await begun()
  book.say(FIRST, OTHER, 'checkpoint')
  book.say(FIRST, OTHER, 'checkpoint', { action: 'compromise', since_seq: 4 })
  assert.equal(await counts(here, OTHER, book), false)
  book.entries.pop()
  assert.equal(await counts(here, OTHER, book), false)
})

test('an operator who was retired or compromised adds no key that counts', async () => {
  for (const rest of [{ action: 'retire' }, { action: 'compromise', since_seq: 3 }] as const) {
    const { book, here } = await begun()
    book.say(FIRST, SECOND, 'operator', rest)
    await here.learn()
    book.say(SECOND, OTHER, 'checkpoint')
    assert.equal(await counts(here, OTHER, book), false, rest.action)
    // Nor where what ended him is put behind what he says.
    const [ended, added] = book.entries.splice(3)
    book.write(added?.payload ?? '')
    book.write(ended?.payload ?? '')
    await assert.rejects(counts(here, OTHER, book), HeadMismatch)
  }
})

test('a compromise that reaches back takes with it what was added since', async () => {
  const { book, here } = await begun()
  book.say(SECOND, OTHER, 'checkpoint')
  assert.equal(await counts(here, OTHER, book), true)
  book.say(FIRST, SECOND, 'operator', { action: 'compromise', since_seq: 3 })
  assert.equal(await counts(here, OTHER, book), false)
})

test('what is no key entry is nobody’s word', async () => {
  const { book, here } = await begun()
  book.say(FIRST, OTHER, 'checkpoint')
  for (const payload of ['5', 'null', '{}', '{"body":null,"signature":null}', 'not JSON'])
    book.write(payload)
  assert.equal(await counts(here, OTHER, book), true)
})
