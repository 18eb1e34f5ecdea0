/**
 * The other side of `bench hold`, in a process of its own: does everything at once that a stranger, an
 * auditor and an agent can do to keep a server from others, until it is ended. Prints every second what it
 * has done so far.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { Caller, type CallerReply } from './hold-caller.ts'
import { LONG_TEXT, NOISY } from './hold-cast.ts'
import type { Attack } from './hold-parts.ts'

const SLOW = 4_096
const SLOW_ADDRESSES = 16
const PIPELINING = 300
const BURST = 500
const NOISY_AT_ONCE = 64
const PATIENCE_MS = 30_000

// It shares the machine with what it attacks: what it takes of a core would be taken for the server's delay.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const attack = parseAttack(readFileSync(process.argv[2] ?? '', 'utf8'))
const { port, host } = new URL(attack.url)
const done: Record<string, number> = {}

function count(what: string): void {
  done[what] = (done[what] ?? 0) + 1
}

/** Half a request, and now and then a little more of it. */
function holdOn(index: number): void {
  const localAddress = `127.1.0.${(index % SLOW_ADDRESSES) + 1}`
  keepOpen(localAddress, 'slow connections', 500, (socket) => {
    socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX-A: `)
    const more = setInterval(() => socket.write('a'), 3_000)
    socket.once('close', () => clearInterval(more))
  })
}

/** Many requests, and nobody who reads the answers. */
function openPipelines(): void {
  keepOpen('127.2.0.1', 'pipelining connections', 100, (socket) => {
    const burst = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(BURST)
    const write = (): void => {
      if (!socket.destroyed) socket.write(burst, () => setImmediate(write))
    }
    socket.pause()
    write()
  })
}

function keepOpen(
  localAddress: string,
  what: string,
  againMs: number,
  use: (socket: Socket) => void,
): void {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
  socket.once('connect', () => {
    count(what)
    use(socket)
  })
  socket.on('error', () => {})
  socket.once('close', () => setTimeout(() => keepOpen(localAddress, what, againMs, use), againMs))
}

async function repeat(what: string, work: () => Promise<CallerReply>): Promise<void> {
  for (;;) {
    const { status } = await work()
    count(`${what} ${status}`)
    if (status === 0 || status === 429) await new Promise((resolve) => setTimeout(resolve, 20))
  }
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
    void repeat('cedar bombs', () => caller.ask('POST', '/v1/playground', bomb))
  const source = '}'.repeat(60_000)
  void repeat('schema bombs', () => caller.ask('POST', '/v1/contracts/check', { source }))
}
const noisy = new Caller(attack.url, '127.6.0.1', attack.noisy, PATIENCE_MS)
for (let i = 0; has('noise') && i < NOISY_AT_ONCE; i += 1) void makeNoise()

/** Proposals as large as they may be, with a text that patterns are slow on. */
async function makeNoise(): Promise<void> {
  for (;;) {
    const opened = await noisy.ask('POST', '/v1/flows', { trigger: 'noise' })
    count(`noisy ${opened.status}`)
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
    count(`noisy ${proposed.status}`)
  }
}

setInterval(() => console.log(JSON.stringify(done)), 1_000)

function parseAttack(text: string): Attack {
  return JSON.parse(text) as Attack
}
