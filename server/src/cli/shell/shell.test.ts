import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { LIMITS, REASONS } from 'rubicon-kernel'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import * as purchases from '../../../../scenarios/src/escalation.ts'
import { createMovableClock } from '../../demo/stage.ts'
import { AGENT, type Served, served } from '../../http/served.test-support.ts'
import { home, run } from '../cli.test-support.ts'
import { leaveHalfDone } from '../half-done.test-support.ts'
import { startUpHere } from '../up.test-support.ts'
import {
  CTRL_C,
  CTRL_D,
  CTRL_U,
  pipeInto,
  rowsOf,
  type ShellPlace,
  type Typist,
  typeAt,
} from './shell.test-support.ts'

type Shop = Served & {
  readonly bought: readonly string[]
  readonly ann: ShellPlace
  ahead(ms: number): void
  /** Asks for a purchase of so much; answers with the request. */
  wanted(usd: string, said?: { trigger?: string; justification?: string }): Promise<string>
}

const { BUYER, createPurchaseCapability, purchaseContracts } = purchases
const PROMPT = /rubicon 127\.0\.0\.1:\d+> /
const ACKNOWLEDGE = /type PURCHASE \d+ to acknowledge: /
const REASON = / reason: /

/** The agents of the `escalation` scenario, behind a server whose clock stands still, and somebody who may approve. */
async function shop(t: TestContext): Promise<Shop> {
  const clock = createMovableClock(Date.now())
  const bought: string[] = []
  const capabilities = [createPurchaseCapability(bought)]
  const contracts = purchaseContracts()
  const stage = await served(t, { clock, background: false, capabilities, contracts })
  const roles = ['operator', 'approver', 'auditor'] as const
  const { url, token = '' } = stage.person('ann@example.com', ...roles)
  return {
    ...stage,
    bought,
    ann: { url, token, state: temporaryFolder() },
    ahead: (ms) => clock.ahead(ms),
    async wanted(usd, { trigger = `${usd} is wanted`, ...said } = {}) {
      const flow = await stage.runtime.open({ agent: BUYER, trigger })
      await flow.propose({ policy_kind: 'PURCHASE', params: { usd }, ...said })
      return `${flow.dfid}:1`
    },
  }
}

async function ready(typist: Typist): Promise<Typist> {
  await typist.until(PROMPT)
  return typist
}

test('HIGH_IMPACT is shown before it is asked about, and approved with its words and in time', async (t) => {
  const { wanted, ann, ahead, bought } = await shop(t)
  const id = await wanted('5000')
  const { type, until, ended } = await ready(typeAt(t, ann))
  type('inbox\r')
  await until(/HIGH_IMPACT {2}PURCHASE/)
  await until(PROMPT)
  type(`override ${id}\r`)
  await until(/effect +purchases spent {2}0 → 5,000 USD/)
  await until(/what the agent says; it decides nothing[\s\S]*woken by 5000 is wanted/)
  await until(ACKNOWLEDGE)
  type('PURCHASE 5000\r')
  await until(REASON)
  type('it is needed\r')
  await until(new RegExp(`✖ ${REASONS.DECISION_TOO_FAST.means}\n`))
  assert.deepEqual(bought, [], 'too early')
  await until(PROMPT)

  ahead(LIMITS.highImpactDwellMs)
  type(`override ${id}\r`)
  await until(/acknowledge: PURCHASE 5000|PURCHASE 5000$/)
  type(`${CTRL_U}PURCHASE 500\r`)
  await until(/✖ that is not PURCHASE 5000/)
  assert.deepEqual(bought, [], 'other words')
  await until(/PURCHASE 500$/)
  type('0\r')
  await until(/it is needed/)
  type('\r')
  await until(/✔ .* released: ACCEPTED SUCCESS/)
  assert.deepEqual(bought, ['5000'])
  await until(PROMPT)
  type(CTRL_D)
  assert.equal(await ended, 0)
})

test('MODIFY changes the parameters that are named, or those that were typed; ABORT ends the flow', async (t) => {
  const { wanted, ann, ahead, bought, runtime } = await shop(t)
  const first = await wanted('5000')
  ahead(LIMITS.highImpactDwellMs)
  const { type, until } = await ready(typeAt(t, ann))
  type(`modify ${first} usd=3000 --acknowledge 'PURCHASE 3000'\r`)
  await until(/HIGH_IMPACT exposure, at stake 3,000 usd/)
  await until(REASON)
  type('less is enough\r')
  await until(new RegExp(`✖ ${REASONS.DECISION_TOO_FAST.means}\n`))
  assert.deepEqual(bought, [], 'nobody has read what it would be')
  ahead(LIMITS.highImpactDwellMs)
  await until(PROMPT)
  type(`modify ${first} usd=3000 --acknowledge 'PURCHASE 3000'\r`)
  await until(/less is enough/)
  type('\r')
  await until(/✔ .* released: ACCEPTED SUCCESS/)
  assert.deepEqual(bought, ['3000'])

  const second = await wanted('4000')
  ahead(LIMITS.highImpactDwellMs)
  await until(PROMPT)
  type(`modify ${second}\r`)
  await until(/parameters: [\s\S]*"4000"/)
  type(`${CTRL_U}{"usd":"2400"}\r`)
  await until(/LOW_IMPACT, at stake 2,400 usd/)
  await until(REASON)
  type('less\r')
  await until(/✔ .* released/)
  assert.deepEqual(bought, ['3000', '2400'], 'little asks for no words')

  const third = await wanted('6000')
  await until(PROMPT)
  type(`abort ${third}\r`)
  await until(REASON)
  type('no\r')
  await until(/✖ .* aborted/)
  const [dfid = ''] = third.split(':')
  assert.equal((await runtime.store.readFlow(dfid))?.state, 'ABORTED')
})

test('what has moved since it was shown is shown again before anybody is asked', async (t) => {
  const { wanted, ann, ahead, bought } = await shop(t)
  const first = await wanted('3000')
  ahead(1)
  const second = await wanted('4000')
  ahead(LIMITS.highImpactDwellMs)
  const { type, until } = await ready(typeAt(t, ann))
  type(`show ${second}\r`)
  await until(/0 → 4,000 USD/)
  type(`override ${first} --reason yes --acknowledge 'PURCHASE 3000'\r`)
  await until(/✔ .* released/)
  await until(PROMPT)
  type(`override ${second}\r`)
  await until(/⚠ it has changed since it was shown/)
  await until(/3,000 → 7,000 USD/)
  await until(/account\/purchases = ⚠ moved nothing → /)
  await until(ACKNOWLEDGE)
  type(CTRL_C)
  await until(/✖ nothing was changed/)
  assert.deepEqual(bought, ['3000'], 'Ctrl-C at a question takes everything back')
})

test('a script approves only what it looked at, and its exit code says how it went', async (t) => {
  const { wanted, ann, ahead, bought } = await shop(t)
  const id = await wanted('5000')
  ahead(LIMITS.highImpactDwellMs)
  const override = `override ${id} --reason "it is needed" --acknowledge "PURCHASE 5000"`
  const blind = await pipeInto(ann, [override, 'who'], ['--json'])
  assert.equal(blind.exit, 2)
  assert.deepEqual(
    rowsOf(blind.stdout).map(({ command, error }) => [command, error.code]),
    [['override', 'NOT_SHOWN']],
    'the first that fails ends it',
  )
  const unsaid = await pipeInto(ann, [`show ${id}`, `override ${id} --reason yes`])
  assert.equal(unsaid.exit, 2)
  assert.match(unsaid.stderr, /✖ `--acknowledge` is missing/)
  assert.deepEqual(bought, [])
  const done = await pipeInto(ann, ['', `show ${id}`, override, 'quit', 'nonsense'], ['--json'])
  assert.deepEqual([done.exit, done.stderr], [0, ''])
  assert.deepEqual(
    rowsOf(done.stdout).map(({ command, data }) => [command, data.outcome ?? data.id]),
    [
      ['show', id],
      ['override', 'released'],
    ],
  )
  assert.deepEqual(bought, ['5000'])
})

test('finding 29a: a yes that would be refused is not offered at a prompt', async (t) => {
  const { wanted, ann, ahead, bought, runtime } = await shop(t)
  const id = await wanted('5000')
  ahead(LIMITS.highImpactDwellMs)
  const stop = { to: 'SUSPENDED', actor: 'operator', justification: 'odd' } as const
  await runtime.engine.moveAgent({ agent_id: BUYER, ...stop })
  const { type, until } = await ready(typeAt(t, ann))
  type(`override ${id}\r`)
  await until(/you +may not approve it: AGENT_SUSPENDED/)
  const answered = await until(/✖ [\s\S]*ask-again|to acknowledge/)
  assert.match(answered, /override is not offered: it would be refused with AGENT_SUSPENDED/)
  assert.deepEqual(bought, [])
})

test('every command answers a script with one value, and nothing is lost on the way', async (t) => {
  const { wanted, ann } = await shop(t)
  const id = await wanted('5000')
  const [dfid = ''] = id.split(':')
  const looks = ['who', 'inbox', `show ${id}`, 'flows escalated', `flow ${dfid}`, 'executions']
  const rest = ['agents', `agent ${BUYER}`, 'monitors', 'verify', 'explain TTL_EXPIRED', '?']
  const moves = ['suspend', 'reactivate'].map((word) => `${word} ${BUYER} --reason r --yes`)
  const commands = [...looks, ...rest, ...moves, 'tail --after 0 --count 3']
  const { exit, stdout, stderr } = await pipeInto(ann, commands, ['--json'])
  assert.deepEqual([exit, stderr], [0, ''], stdout)
  const rows = rowsOf(stdout)
  const names = rows.map(({ command }) => command)
  const wantedNames = commands.map((line) => line.split(' ')[0])
  assert.deepEqual([...new Set(names)], wantedNames)
  assert.deepEqual(
    rows.filter(({ command }) => command === 'tail').map(({ data }) => data.leaf),
    [1, 2, 3],
  )
  const said = (name: string): ReturnType<typeof JSON.parse> =>
    rows.find(({ command }) => command === name).data
  assert.equal(said('verify').ok, true)
  assert.equal(said('who').name, 'ann@example.com')
  assert.equal(said('reactivate').to, 'ACTIVE')
})

test('the inbox says who has a request, and a request says so too', async (t) => {
  const { wanted, ann, runtime } = await shop(t)
  const id = await wanted('5000')
  const ben = { name: 'ben', approver: true }
  await runtime.person(ben.name)
  assert.ok((await runtime.engine.oversight.claimEscalation(id, ben)).ok)
  const { stdout } = await pipeInto(ann, ['inbox team', `show ${id}`])
  assert.match(stdout, /WITH\n.* ben\n/)
  assert.match(stdout, /with +ben since 20/)
})

test('no escape of an agent reaches the terminal', async (t) => {
  const { wanted, ann } = await shop(t)
  const hostile = 'ok \u001b[2J\u001b]0;owned\u0007\u202e 4711\u009b31m\u200b'
  const id = await wanted('5000', { trigger: hostile, justification: hostile })
  const [dfid = ''] = id.split(':')
  const commands = [
    `show ${id}`,
    'flows',
    `flow ${dfid}`,
    `agent ${BUYER}`,
    'tail --after 0 --count 2',
  ]
  const { exit, stdout, stderr } = await pipeInto(ann, commands)
  assert.equal(exit, 0, stderr)
  assert.match(stdout, /because +ok \\u\{1b\}\[2J.*0;owned.* 4711.*\\u\{200b\}\n/)
  for (const bad of ['\u001b', '\u009b', '\u0007', '\u202e', '\u200b'])
    assert.ok(!`${stdout}${stderr}`.includes(bad), JSON.stringify(bad))
})

test('a token is asked for without echo, and neither it nor an answer is in the history', async (t) => {
  const { wanted, ann, ahead } = await shop(t)
  const id = await wanted('5000')
  ahead(LIMITS.highImpactDwellMs)
  const { url, token = '', state } = ann
  const { type, until, screen } = typeAt(t, { url, state })
  await until(/token: /)
  type(`${token}\r`)
  await until(/ann@example\.com \(operator, approver, auditor\) in default/)
  assert.ok(!screen().includes(token), 'nothing of it was echoed')
  await until(PROMPT)
  type(`explain ${token}\r`)
  await until(/✖ there is no reason code/)
  await until(PROMPT)
  type('inbo\t')
  await until(/x $/)
  type('\r')
  await until(/HIGH_IMPACT/)
  await until(PROMPT)
  // A flow and its request begin alike; only the request can be decided.
  type(`override ${id.slice(0, 12)}\t`)
  await until(new RegExp(`${id.slice(12)} $`))
  type('\r')
  await until(ACKNOWLEDGE)
  type('PURCHASE 5000\r')
  await until(REASON)
  type('between us\r')
  await until(/✔ .* released/)
  const path = join(state, 'shell-history')
  assert.deepEqual(readFileSync(path, 'utf8').split('\n'), ['inbox', `override ${id}`, ''])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const shown = screen()
    .replaceAll(/explain \S*/g, '')
    .replaceAll(/no reason code `\S*`/g, '')
  assert.ok(!shown.slice(0, 200).includes(token), 'nothing of it was echoed')
})

test('a decision whose answer was lost is sent again as it was, and counts once', async (t) => {
  const { wanted, ann, ahead, bought } = await shop(t)
  const id = await wanted('5000')
  ahead(LIMITS.highImpactDwellMs)
  const proxy = await losing(t, ann.url)
  const { type, until } = await ready(typeAt(t, { ...ann, url: proxy.url }))
  type(`override ${id} --reason yes --acknowledge 'PURCHASE 5000'\r`)
  await until(/✖ the runtime does not answer/)
  assert.deepEqual(bought, ['5000'], 'it had arrived')
  await until(/> [\s\S]*override/)
  type('\r')
  await until(/there was no answer before: the same decision is sent again/)
  await until(/✔ .* released: ACCEPTED SUCCESS/)
  assert.deepEqual(bought, ['5000'])
  assert.equal(new Set(proxy.keys).size, 1)
  assert.equal(proxy.keys.length, 2)
})

/** In front of a server: the first decision arrives, and its answer does not. */
async function losing(t: TestContext, target: string) {
  const keys: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const isDecision = request.url?.endsWith('/decision') === true
    if (isDecision) keys.push(String(request.headers['idempotency-key']))
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    })
    const body = await answer.text()
    if (isDecision && keys.length === 1) {
      response.destroy()
      return
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}`, keys }
}

test('a tail goes on over a restart of the server and misses nothing; Ctrl-C ends it, not the shell', async (t) => {
  const { at, folder } = home()
  const first = await startUpHere(t, ['--demo', ...at])
  const {
    token,
    said: { url },
  } = first
  const state = join(folder, 'shell')
  const { type, until, stdout, ended } = await ready(typeAt(t, { url, token, state }))
  type('tail --after 0\r')
  await until(/\n3 {2}.*\n/)
  await first.stop()
  await until(/⚠ the server does not answer/)
  const second = await startUpHere(t, ['--port', new URL(url).port, '--demo', ...at])
  await until(/ℹ back/)
  const last = await until(/\n\d+ {2}\S+ {2}writ /)
  type(CTRL_C)
  await until(PROMPT)
  const leaves = stdout()
    .split('\n')
    .flatMap((line) => /^(\d+) {2}20/.exec(line)?.[1] ?? [])
    .map(Number)
  assert.deepEqual(
    leaves,
    leaves.map((_, index) => index + 1),
    'each once, in order',
  )
  assert.ok(leaves.includes(Number(last.split(' ')[0])))
  await second.stop()
  type('who\r')
  await until(/✖ the runtime does not answer/)
  await until(/> [\s\S]*who/)
  type(`${CTRL_U}${CTRL_D}`)
  assert.equal(await ended, 0)
})

test('what a person found out settles an effect or a flow, and an agent is stopped by its name', async (t) => {
  const { at, folder } = home()
  const { lost, half } = await leaveHalfDone(folder)
  const [, store = ''] = at
  const stage = await served(t, {
    store,
    stateDirectory: join(folder, 'state'),
    contracts: purchaseContracts(),
    background: false,
  })
  const { url, token = '' } = stage.person('ann@example.com', 'operator')
  const { type, until } = await ready(typeAt(t, { url, token, state: temporaryFolder() }))
  type('executions manual_review\r')
  await until(new RegExp(`${lost} +odd +ODD +MANUAL_REVIEW`))
  type(`settle ${lost}:odd\r`)
  await until(/outcome \(applied, not_applied, abandon\): /)
  type('perhaps\r')
  await until(/✖ `perhaps` is no outcome/)
  type(
    `settle ${lost}:odd --outcome not_applied --evidence "the provider's list" --reason checked\r`,
  )
  await until(/to go on: /)
  type(`${lost}\r`)
  await until(/✖ nothing was changed/)
  type(
    `settle ${lost}:odd --outcome not_applied --evidence "the provider's list" --reason checked\r`,
  )
  await until(/to go on: /)
  type(`${lost}:odd\r`)
  await until(/✔ \S+ odd: FAILED/)
  type(`settle ${half} --outcome abandon --evidence none --reason "it may stay" --yes\r`)
  await until(/✔ \S+: settled/)
  type(`suspend ${AGENT}\r`)
  await until(REASON)
  type('it is odd\r')
  await until(new RegExp(`type ${AGENT} to go on: `))
  type(`${AGENT}\r`)
  await until(/✔ refunds_bot \S+ → SUSPENDED/)
})

test('a token that is nobody’s is asked for again, and nobody is left at a prompt without one', async (t) => {
  const { ann } = await shop(t)
  const { type, until, ended, screen } = typeAt(t, { ...ann, token: 'rbo_nobodys' })
  await until(/✖ invalid token\n {2}fix .*`rubicon token` makes another\n/)
  await until(/token: $/)
  type('rbo_neither\r')
  await until(/✖ invalid token/)
  await until(/token: $/)
  type(`${ann.token}\r`)
  await until(/ann@example\.com \(.*\) in default/)
  await until(PROMPT)
  type(CTRL_D)
  assert.equal(await ended, 0)
  assert.ok(!screen().includes(ann.token ?? ''))
  const other = typeAt(t, { ...ann, token: 'rbo_nobodys' })
  await other.until(/token: $/)
  other.type('\r')
  assert.equal(await other.ended, 2)
})

test('a flow and a request are found by the beginning of their ids, and several are named', async (t) => {
  const { wanted, ann, ahead } = await shop(t)
  const [first, second] = [await wanted('3000'), await wanted('4000')]
  ahead(200_000)
  const later = await wanted('5000')
  const [dfid = ''] = later.split(':')
  const short = dfid.slice(0, 13)
  for (const given of [short, `${short}:1`, dfid, later]) {
    const { exit, stdout } = await pipeInto(ann, [`show ${given}`], ['--json'])
    assert.deepEqual([exit, rowsOf(stdout)[0].data.id], [0, later], given)
  }
  const flow = await pipeInto(ann, [`flow ${short}`], ['--json'])
  assert.equal(rowsOf(flow.stdout)[0].data.flow.dfid, dfid)
  const both = await pipeInto(ann, [`show ${first.slice(0, 8)}`])
  assert.equal(both.exit, 2)
  for (const id of [first, second]) assert.ok(both.stderr.includes(id.slice(0, -2)))
  const none = await pipeInto(ann, ['show 01aaaaaa-aaaa'])
  assert.match(none.stderr, /fix {2}see `inbox`/)
})

test('a table is as wide as the terminal, and ids are never cut', async (t) => {
  const { wanted, ann } = await shop(t)
  const id = await wanted('5000')
  const justRoom = typeAt(t, { ...ann, columns: 110 })
  const noRoom = typeAt(t, { ...ann, columns: 40 })
  for (const { type, until } of [await ready(justRoom), await ready(noRoom)]) {
    type('inbox\r')
    await until(/mine \d/)
  }
  const rowIn = (text: string): string => text.split('\n').find((line) => line.startsWith(id)) ?? ''
  assert.match(rowIn(justRoom.stdout()), /HIGH_IM.*…/)
  assert.ok(rowIn(justRoom.stdout()).length <= 110)
  assert.ok(rowIn(noRoom.stdout()).length > 40, 'rather than nothing but dots, it wraps')
})

test('what cannot be meant is refused before anything is sent', async () => {
  const state = temporaryFolder()
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['ftp://127.0.0.1', /is no address of a server/],
    ['nonsense', /is no address of a server/],
    ['http://example.com', /is another machine, and this is clear text/],
  ]
  for (const [url, says] of refusals) {
    const { exit, stderr } = await pipeInto({ url, token: 't', state }, ['who'])
    assert.equal(exit, 2)
    assert.match(stderr, says)
  }
  const alone = await pipeInto({ url: 'http://127.0.0.1:1', state }, ['who'])
  assert.deepEqual([alone.exit, /no token was given/.test(alone.stderr)], [2, true])
})

test('a verb that needs a store which a server holds says how to ask the server', async (t) => {
  const { at, folder } = home()
  const [, store = ''] = at
  await served(t, { store, stateDirectory: join(folder, 'state') })
  const { exit, stderr } = await run(['agents', 'suspend', 'x', '--reason', 'r', '--yes', ...at])
  assert.equal(exit, 2)
  assert.match(stderr, /is in use by another process\n {2}fix .*--server URL/)
})
