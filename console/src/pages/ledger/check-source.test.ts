import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nodeCrypto } from 'rubicon-verifier'
import {
  type Example,
  exampleRuntime,
} from '../../../../runtime/src/evidence/example.test-support.ts'
import { exportBundle } from '../../../../runtime/src/evidence/export-bundle.ts'
import { exportLedger } from '../../../../runtime/src/evidence/export-ledger.ts'
import { checkFile, checkServer, type Hooks } from './check-source.ts'
import { createPin, type Pin } from './pins.ts'
import { formatNumber, formatVerdict, type Told } from './verdict-sentence.ts'
import type { Verified } from './verification.ts'
import type { Progress } from './verify-messages.ts'

let example: Example
let lines: readonly string[] = []
let bundle = ''

before(async () => {
  example = await exampleRuntime()
  const answers = await Promise.all([example.refund('20.00'), example.refund('900.00')])
  await example.runtime.engine.checkpoint()
  const written: string[] = []
  await exportLedger(example.runtime.store, (line) => void written.push(line))
  lines = written
  const made = await exportBundle(example.runtime.store, nodeCrypto.sha256, answers[0].dfid)
  assert.ok(made.ok)
  bundle = made.value
})
after(() => example.close())

type Asked = { readonly pins?: readonly Pin[]; readonly stopAfter?: number }

function hooks({
  pins = [],
  stopAfter = 1_000,
}: Asked = {}): Hooks & { readonly told: Progress[] } {
  let pieces = 0
  const told: Progress[] = []
  return {
    crypto: nodeCrypto,
    pins,
    told,
    progress: (progress) => void told.push(progress),
    async goOn() {
      pieces += 1
      return pieces < stopAfter
    },
    clock: () => 0,
  }
}

const told: Told = {
  short: (id) => id.slice(0, 4),
  day: (at) => at.slice(0, 10),
  exactly: (at) => at.slice(11, 16),
}

/** A server that has these lines, and how it was asked. */
function serving(served: readonly string[]) {
  const asked: (readonly [number | null, number])[] = []
  const range = async (from: number | null, limit: number): Promise<Uint8Array> => {
    asked.push([from, limit])
    const some = from === null ? served.slice(0, 1) : served.slice(from + 1, from + 1 + limit)
    return new TextEncoder().encode(some.join(''))
  }
  return { asked, range }
}

function blob(...texts: readonly string[]): Blob {
  return new Blob([...texts])
}

async function sentenceOf(file: Blob, asked?: Asked): Promise<string> {
  const verified = await checkFile(file, hooks(asked))
  assert.ok(verified !== null)
  return formatVerdict(verified, told)
}

async function verifiedServer(served: readonly string[], asked?: Asked): Promise<Verified> {
  const verified = await checkServer(serving(served).range, hooks(asked))
  return verified ?? assert.fail('nobody stopped it')
}

test('a server is asked by ranges and found unbroken, in one sentence', async () => {
  const { range, asked } = serving(lines)
  const verified = await checkServer(range, hooks())
  assert.ok(verified !== null)
  const { length } = lines.slice(1)
  assert.deepEqual(asked, [
    [null, 0],
    [0, length],
  ])
  const sentence = formatVerdict(verified, told)
  const root = verified.head?.root.slice(0, 4)
  assert.ok(
    sentence.startsWith(`${length} entries, unbroken, root matches checkpoint ${root}, up to `),
  )
  assert.match(
    sentence,
    /signed by key checkpoint-[0-9a-f]{16} \(not pinned: the keys are the server’s own\)$/,
  )
})

test('a pinned log is trusted, another one is not', async () => {
  const { head } = await verifiedServer(lines)
  assert.ok(head !== null)
  const pins = [createPin(head, 'server', '2026-11-03T12:00:00.000Z')]
  const trusted = /\(trusted: pinned by you on 2026-11-03\)$/
  assert.match(formatVerdict(await verifiedServer(lines, { pins }), told), trusted)
  assert.match(await sentenceOf(blob(bundle), { pins }), trusted)
  const other = await exampleRuntime()
  try {
    await other.runtime.engine.checkpoint()
    const theirs: string[] = []
    await exportLedger(other.runtime.store, (line) => void theirs.push(line))
    const { bad } = await verifiedServer(theirs, { pins })
    assert.deepEqual([bad?.finding.code, bad?.line], ['TRUST_MISMATCH', null])
  } finally {
    await other.close()
  }
})

test('a changed line is pointed at, and kept as it came', async () => {
  const at = lines.findIndex((line) => line.includes('"900.00"'))
  const changed = lines.with(at, (lines[at] ?? '').replace('"900.00"', '"100.00"'))
  const verified = await checkFile(blob(...changed), hooks())
  assert.equal(verified?.what, 'ledger')
  assert.deepEqual(
    [verified?.bad?.finding.leaf, verified?.bad?.finding.code],
    [at - 1, 'PAYLOAD_HASH'],
  )
  assert.equal(`${verified?.bad?.line}\n`, changed[at])
  assert.ok(verified !== null && verified !== undefined)
  assert.match(formatVerdict(verified, told), new RegExp(`broken at entry ${at - 1}: PAYLOAD_HASH`))
})

test('a bundle is checked whole, and its flow can be shown', async () => {
  const verified = await checkFile(blob(bundle), hooks())
  assert.equal(verified?.what, 'bundle')
  assert.deepEqual(verified?.report.findings, [])
  assert.ok((verified?.flow?.entries.length ?? 0) > 3)
  assert.match(await sentenceOf(blob(bundle)), /each proven to be in the log of \d+ entries/)
  const changed = await checkFile(blob(bundle.replace('"20.00"', '"90.00"')), hooks())
  assert.equal(changed?.bad?.finding.code, 'PAYLOAD_HASH')
  assert.match(changed?.bad?.line ?? '', /90\.00/)
})

test('what is neither is no ledger; a bundle of nothing and half a file are broken', async () => {
  for (const text of ['', 'hello', '{"hello":"world"}', '\u0000'])
    await assert.rejects(checkFile(blob(text), hooks()), /not a ledger/)
  assert.match(
    await sentenceOf(blob('{"format":"rubicon-bundle/2"}')),
    /^0 entries, broken in the checkpoint or the keys: ENTRY_UNREADABLE/,
  )
  const cut = await checkFile(blob(...lines.slice(0, -1)), hooks())
  assert.ok(cut?.report.findings.some(({ code }) => code === 'CHECKPOINT_SIZE'))
})

test('a check that is stopped has no result; progress counts to what the checkpoint covers', async () => {
  assert.equal(await checkFile(blob(...lines), hooks({ stopAfter: 1 })), null)
  const watching = hooks()
  await checkFile(blob(...lines), watching)
  const total = lines.length - 1
  assert.deepEqual(watching.told.at(-1), { done: total, total, found: false })
})

test('a server that fails in between fails the check', async () => {
  const range = async (from: number | null): Promise<Uint8Array> => {
    if (from === null) return new TextEncoder().encode(lines[0])
    throw new Error('the server answered 503')
  }
  await assert.rejects(checkServer(range, hooks()), /503/)
})

test('numbers are grouped by thousands', () => {
  assert.deepEqual([0, 999, 1_000, 14_203, 1_234_567].map(formatNumber), [
    '0',
    '999',
    '1,000',
    '14,203',
    '1,234,567',
  ])
})
