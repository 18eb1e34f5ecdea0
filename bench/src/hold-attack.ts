/**
 * The other side of `bench hold`, in a process of its own: does everything at once that a stranger, an
 * auditor and an agent can do to keep a server from others, until it is ended. Prints every second what it
 * has done so far.
 */
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { Attacker } from './hold-attacker.ts'
import { Caller } from './hold-caller.ts'
import { LONG_TEXT, NOISY } from './hold-cast.ts'
import type { Attack } from './hold-parts.ts'
import { leaveUnread, takeBundles, tryLarge } from './hold-readers.ts'

const SLOW = 4_096
const SLOW_ADDRESSES = 16
const PIPELINING = 300
const BURST = 500
const NOISY_AT_ONCE = 64
const PATIENCE_MS = 30_000

// It shares the machine with what it attacks: what it takes of a core would be taken for the server's delay.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const attack = parseAttack(readFileSync(process.argv[2] ?? '', 'utf8'))
const attacker = new Attacker(attack.url)
const { host } = attacker

/** Half a request, and now and then a little more of it. */
function holdOn(index: number): void {
  const localAddress = `127.1.0.${(index % SLOW_ADDRESSES) + 1}`
  attacker.keepOpen(localAddress, 'slow connections', 500, (socket) => {
    socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX-A: `)
    const more = setInterval(() => socket.write('a'), 3_000)
    socket.once('close', () => clearInterval(more))
  })
}

/** Many requests, and nobody who reads the answers. */
function openPipelines(): void {
  attacker.keepOpen('127.2.0.1', 'pipelining connections', 100, (socket) => {
    const burst = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(BURST)
    const write = (): void => {
      if (!socket.destroyed) socket.write(burst, () => setImmediate(write))
    }
    socket.pause()
    write()
  })
}

const like = `forbid(principal, action, resource) when { context.params.item like "*${'a'.repeat(40_000)}b" };`
const equal = 'context.params.item == context.params.item && '
const bombs = [
  { last: 1_000, cedar: { name: 'draft', text: like }, params: { item: 'a'.repeat(LONG_TEXT) } },
  {
    last: 1_000,
    cedar: {
      name: 'draft',
      text: `forbid(principal, action, resource) when { ${equal.repeat(1_000)}true };`,
    },
    params: { item: 'a'.repeat(LONG_TEXT) },
  },
  { last: 1_000 },
]
const has = (part: string): boolean => attack.parts.includes(part)
for (let i = 0; has('slow') && i < SLOW; i += 1) setTimeout(() => holdOn(i), i / 4)
for (let i = 0; has('pipelining') && i < PIPELINING; i += 1) openPipelines()
for (const [i, credentials] of has('drafts') ? attack.auditors.entries() : []) {
  const caller = new Caller(attack.url, `127.5.0.${i + 1}`, credentials, PATIENCE_MS)
  for (const bomb of bombs)
    void attacker.repeat('cedar bombs', () => caller.ask('POST', '/v1/playground', bomb))
  const source = '}'.repeat(60_000)
  void attacker.repeat('schema bombs', () => caller.ask('POST', '/v1/contracts/check', { source }))
}
if (has('unread')) leaveUnread(attacker, attack)
if (has('trials')) tryLarge(attacker, attack)
if (has('bundles')) takeBundles(attacker, attack)
const noisy = new Caller(attack.url, '127.6.0.1', attack.noisy, PATIENCE_MS)
for (let i = 0; has('noise') && i < NOISY_AT_ONCE; i += 1) void makeNoise()

/** Proposals as large as they may be, with a text that patterns are slow on. */
async function makeNoise(): Promise<void> {
  for (;;) {
    const opened = await noisy.ask('POST', '/v1/flows', { trigger: 'noise' })
    attacker.count(`noisy ${opened.status}`)
    if (opened.status !== 201) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      continue
    }
    const { dfid, context } = opened.body
    const { snapshot_id: context_ref, mission_context_hash } = context
    const params = { item: `${'a'.repeat(LONG_TEXT)}c`, parts: ['a', 'b', 'c'] }
    const body = {
      dfid,
      agent_id: NOISY,
      context_ref,
      mission_context_hash,
      policy_kind: 'TELL',
      params,
    }
    const proposed = await noisy.ask('POST', `/v1/flows/${dfid}/proposals`, body)
    attacker.count(`noisy ${proposed.status}`)
  }
}

setInterval(() => console.log(JSON.stringify(attacker.done)), 1_000)

function parseAttack(text: string): Attack {
  return JSON.parse(text) as Attack
}
