import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRuntime, type Runtime } from '../../../runtime/src/compose.ts'
import { CONTRACT, exampleCapability } from '../../../runtime/src/evidence/example.test-support.ts'
import { home, run, runJson } from './cli.test-support.ts'

const limits = [{ id: 'alone', measure: 'amount', max: '500.00', on_breach: 'escalate' }]

/** A refund that waits for a person, in a store that nobody has open. */
async function asked(justification = '\u001b[31mtrust me'): Promise<{
  readonly at: readonly string[]
  readonly id: string
  readonly start: () => Promise<Runtime>
  readonly calls: () => number
}> {
  const { folder, at } = home()
  let calls = 0
  const start = (): Promise<Runtime> =>
    createRuntime({
      store: `sqlite:${join(folder, 'rubicon.db')}`,
      stateDirectory: join(folder, 'state'),
      capabilities: [exampleCapability(() => void calls++)],
      background: false,
    })
  const runtime = await start()
  await runtime.deploy({ ...CONTRACT, permissions: { policy_kinds: ['REFUND'], limits } })
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const params = { order: 'o-1', amount: '800.00' }
  await flow.propose({ policy_kind: 'REFUND', params, justification })
  const [waiting] = await runtime.engine.oversight.escalations()
  await runtime.close()
  return { at, id: waiting?.id ?? '', start, calls: () => calls }
}

const words = ['--by', 'ann@example.com', '--justification', 'the customer is owed it']

test('what waits is listed and shown, with what the agent says kept apart and escaped', async () => {
  const { at, id } = await asked()
  const { data } = await runJson(['escalations', 'list', ...at])
  assert.deepEqual([data.escalations[0].id, data.escalations[0].impact], [id, 'LOW_IMPACT'])
  const { stdout } = await run(['escalations', 'show', id, ...at])
  assert.match(stdout, /asks {5}limit:alone: AUTHORITY_CEILING/)
  assert.ok(!stdout.includes('\u001b'))
  const list = await run(['escalations', 'list', ...at])
  assert.match(list.stdout, /WHAT .*\n.* REFUND order o-1, amount 800\.00 /)
  const none = await runJson(['escalations', 'show', 'nothing', ...at])
  assert.deepEqual([none.exit, none.data.error.code], [2, 'ESCALATION_UNKNOWN'])
  assert.equal((await run(['escalations', 'list', '--in', 'limbo', ...at])).exit, 2)
})

test('an OVERRIDE is recorded here, and carried out once by the runtime that can', async () => {
  const { at, id, start, calls } = await asked()
  const typed = ['escalations', 'resolve', id, '--decision', 'approve', ...words, ...at]
  assert.match((await run(typed)).stderr, /no terminal to ask at/)
  assert.equal((await run(typed, 'yes')).exit, 3, 'the impact has to be typed')
  const done = await runJson([...typed, '--yes'])
  assert.deepEqual([done.exit, done.data.outcome, done.data.decision], [0, 'approved', 'OVERRIDE'])
  const again = await runJson([...typed, '--yes'])
  assert.deepEqual([again.exit, again.data.error.code], [2, 'ESCALATION_DECIDED'])

  const runtime = await start()
  const engine = await runtime.start()
  await engine.runDue()
  await engine.runDue()
  assert.equal(calls(), 1)
  await runtime.close()
  assert.equal((await run(['verify', ...at.slice(0, 2)])).exit, 0)
})

test('whoever decides without being asked is shown what they decided', async () => {
  const { at, id } = await asked()
  const typed = ['escalations', 'resolve', id, '--decision', 'override', '--yes', ...words, ...at]
  const { stdout } = await run(typed)
  assert.match(
    stdout,
    /proposes REFUND\n {2}sends .*\n {2}sends {4}amount 800\.00\n[\s\S]*✔ .* approved\n$/,
  )
})

test('what the agent says takes the place of what would run', async () => {
  const words = `,"params":{"amount":"1.00"} ${'a small thing '.repeat(100)}`
  const { at, id } = await asked(words)
  const { stdout } = await run(['escalations', 'show', id, ...at])
  assert.match(
    stdout,
    /\n {2}proposes REFUND\n {2}sends {4}order o-1\n {2}sends {4}amount 800\.00\n/,
  )
  const [known = '', said = ''] = stdout.split('  what the agent says; it decides nothing\n')
  assert.ok(!known.includes('a small thing'))
  assert.match(said, /^ {2}│ because .*a small thing.*…\n$/)
})

test('a request and a flow are found by the beginning of their ids, of which there is one', async () => {
  const { at, id } = await asked()
  const [dfid = ''] = id.split(':')
  for (const given of [id, dfid, id.slice(0, 8)]) {
    const { data } = await runJson(['escalations', 'show', given, ...at])
    assert.equal(data.request.id, id)
  }
  for (const given of [dfid, dfid.slice(0, 8)]) {
    const { data } = await runJson(['flows', 'show', given, ...at])
    assert.equal(data.flow.dfid, dfid)
  }
  for (const given of [id.slice(0, 7), `${id}0`, 'ffffffff'])
    assert.equal((await run(['escalations', 'show', given, ...at])).exit, 2, given)
  assert.equal((await run(['flows', 'show', dfid.slice(0, 7), ...at])).exit, 2)
  const short = ['escalations', 'resolve', id.slice(0, 20), '--decision', 'reject', '--yes']
  const aborted = await runJson([...short, ...words, ...at])
  assert.deepEqual([aborted.exit, aborted.data.request_id], [0, id])
})

test('a decision takes a digest that was shown before; a MODIFY is for where it can be judged', async () => {
  const { at, id } = await asked()
  const typed = ['escalations', 'resolve', id, '--yes', ...words, ...at]
  const modify = await run([...typed, '--decision', 'MODIFY'])
  assert.equal(modify.exit, 2)
  assert.match(modify.stderr, /rubicon shell/)
  const override = [...typed, '--decision', 'OVERRIDE']
  const other = await runJson([...override, '--digest', `sha256:${'0'.repeat(64)}`])
  assert.equal(other.data.error.code, 'APPROVAL_DIGEST_MISMATCH')
  assert.equal((await run([...override, '--valid-for', '60'])).exit, 0)
})

test('an ABORT ends the flow, and with --retire the agent', async () => {
  const { at, id } = await asked()
  const typed = ['escalations', 'resolve', id, '--decision', 'ABORT', '--retire', ...words, ...at]
  assert.equal((await run(typed, 'ABORT')).exit, 0)
  const { data } = await runJson(['agents', 'list', ...at])
  assert.equal(data.agents[0].status, 'RETIRED')
  assert.equal(
    (await run([...typed.slice(0, 3), '--decision', 'PERHAPS', ...words, ...at])).exit,
    2,
  )
})
